// SPDX-License-Identifier: Apache-2.0
/** Breaks every house rule once; only {@code HouseRulesTest} looks at it. */
@NullMarked
package io.krypton.architecture.violating;

import org.jspecify.annotations.NullMarked;
