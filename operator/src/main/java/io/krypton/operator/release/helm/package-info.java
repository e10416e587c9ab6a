// SPDX-License-Identifier: Apache-2.0
/** Helm as a port, and the adapter that runs the Helm 4 command line once per operation. */
@NullMarked
package io.krypton.operator.release.helm;

import org.jspecify.annotations.NullMarked;
