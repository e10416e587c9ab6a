// SPDX-License-Identifier: Apache-2.0
/**
 * Reads kubeconfigs as hostile input: the result is either checked inline credentials or a reason.
 */
@NullMarked
package io.krypton.multicluster.kubeconfig;

import org.jspecify.annotations.NullMarked;
