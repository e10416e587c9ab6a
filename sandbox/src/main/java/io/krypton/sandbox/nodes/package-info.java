// SPDX-License-Identifier: Apache-2.0
/** Nodes without machines, so that pods become ready where no kubelet is. */
@NullMarked
package io.krypton.sandbox.nodes;

import org.jspecify.annotations.NullMarked;
