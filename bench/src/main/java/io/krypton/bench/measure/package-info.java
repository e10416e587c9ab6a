/** What a measurement is, and how its size is chosen. */
@NullMarked
package io.krypton.bench.measure;

import org.jspecify.annotations.NullMarked;
