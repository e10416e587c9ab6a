// SPDX-License-Identifier: Apache-2.0
/** Back-off and jitter. */
@NullMarked
package io.krypton.base.time;

import org.jspecify.annotations.NullMarked;
