// SPDX-License-Identifier: Apache-2.0
/** Tables, plots and files made of figures, and the comparison with earlier ones. */
@NullMarked
package io.krypton.bench.report;

import org.jspecify.annotations.NullMarked;
