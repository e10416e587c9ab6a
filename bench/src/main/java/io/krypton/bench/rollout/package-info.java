// SPDX-License-Identifier: Apache-2.0
/** Rollouts and engagement of clusters, measured against plain Helm. */
@NullMarked
package io.krypton.bench.rollout;

import org.jspecify.annotations.NullMarked;
