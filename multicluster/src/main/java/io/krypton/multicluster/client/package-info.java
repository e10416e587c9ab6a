// SPDX-License-Identifier: Apache-2.0
/** Builds Kubernetes clients, and is the only place that does: one transport per cluster. */
@NullMarked
package io.krypton.multicluster.client;

import org.jspecify.annotations.NullMarked;
