/** Back-off and jitter. */
@NullMarked
package io.krypton.base.time;

import org.jspecify.annotations.NullMarked;
