// SPDX-License-Identifier: Apache-2.0
/**
 * The report of a node about its KMS plugins: model, limits, names, and every format in both
 * directions.
 */
@NullMarked
package io.krypton.base.kmsreport;

import org.jspecify.annotations.NullMarked;
