/** Figures that anybody can repeat with {@code make bench}. */
@NullMarked
package io.krypton.bench;

import org.jspecify.annotations.NullMarked;
