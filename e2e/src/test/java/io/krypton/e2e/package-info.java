/** Stories that a user could type. */
@NullMarked
package io.krypton.e2e;

import org.jspecify.annotations.NullMarked;
