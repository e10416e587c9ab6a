// SPDX-License-Identifier: Apache-2.0
/** How a client reaches a control plane: kubeconfigs and raw HTTP. */
@NullMarked
package io.krypton.sandbox.access;

import org.jspecify.annotations.NullMarked;
