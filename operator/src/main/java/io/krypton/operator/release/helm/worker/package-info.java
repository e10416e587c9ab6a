// SPDX-License-Identifier: Apache-2.0
/** Helm as one long-lived child process that runs all operations. */
@NullMarked
package io.krypton.operator.release.helm.worker;

import org.jspecify.annotations.NullMarked;
