// SPDX-License-Identifier: Apache-2.0
/** Finds the chart that flags name, verifies it, and keeps it on disk by its content. */
@NullMarked
package io.krypton.operator.release.chart;

import org.jspecify.annotations.NullMarked;
