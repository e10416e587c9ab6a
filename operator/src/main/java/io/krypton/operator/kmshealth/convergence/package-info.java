// SPDX-License-Identifier: Apache-2.0
/** Whether all nodes encrypt with one and the same remote key, and since when. Pure. */
@NullMarked
package io.krypton.operator.kmshealth.convergence;

import org.jspecify.annotations.NullMarked;
