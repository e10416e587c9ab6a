// SPDX-License-Identifier: Apache-2.0
/** The ChartRollout: one change of a class on its way through the waves. */
@NullMarked
package io.krypton.api.chartrollout;

import org.jspecify.annotations.NullMarked;
