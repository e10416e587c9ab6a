// SPDX-License-Identifier: Apache-2.0
/** Discovers clusters: kubeconfig Secrets of the home cluster, by label or by reference. */
@NullMarked
package io.krypton.multicluster.provider;

import org.jspecify.annotations.NullMarked;
