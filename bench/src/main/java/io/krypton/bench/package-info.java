// SPDX-License-Identifier: Apache-2.0
/** Figures that anybody can repeat with {@code make bench}. */
@NullMarked
package io.krypton.bench;

import org.jspecify.annotations.NullMarked;
