/** What a Helm release is called, which state it is in, and what to do about it; no I/O. */
@NullMarked
package io.krypton.operator.release;

import org.jspecify.annotations.NullMarked;
