// SPDX-License-Identifier: Apache-2.0
/** A work queue whose keys belong to clusters; it knows nothing of Kubernetes. */
@NullMarked
package io.krypton.multicluster.queue;

import org.jspecify.annotations.NullMarked;
