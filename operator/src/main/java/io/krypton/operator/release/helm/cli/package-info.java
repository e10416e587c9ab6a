// SPDX-License-Identifier: Apache-2.0
/** Helm as its command line: one process for each operation. */
@NullMarked
package io.krypton.operator.release.helm.cli;

import org.jspecify.annotations.NullMarked;
