// SPDX-License-Identifier: Apache-2.0
/** Settings from flags, the environment and a file, in this order. */
@NullMarked
package io.krypton.base.settings;

import org.jspecify.annotations.NullMarked;
