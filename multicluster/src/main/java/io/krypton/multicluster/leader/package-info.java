// SPDX-License-Identifier: Apache-2.0
/** Leader election on a Lease, by monotonic clocks only. */
@NullMarked
package io.krypton.multicluster.leader;

import org.jspecify.annotations.NullMarked;
