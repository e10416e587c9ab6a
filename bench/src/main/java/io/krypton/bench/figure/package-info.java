/** What was measured, as values; no I/O but a look at this machine. */
@NullMarked
package io.krypton.bench.figure;

import org.jspecify.annotations.NullMarked;
