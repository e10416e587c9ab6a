// SPDX-License-Identifier: Apache-2.0
/**
 * Brings one release on one cluster to what its owner wants: the rollout, its result and its
 * listeners.
 */
@NullMarked
package io.krypton.operator.release;

import org.jspecify.annotations.NullMarked;
