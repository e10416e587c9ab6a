// SPDX-License-Identifier: Apache-2.0
/** Rules that hold for the code of every module, checked by one test in each of them. */
@NullMarked
package io.krypton.architecture;

import org.jspecify.annotations.NullMarked;
