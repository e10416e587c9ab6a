// SPDX-License-Identifier: Apache-2.0
/** The whole runtime at work on real clusters, some of which come, go and fail. */
@NullMarked
package io.krypton.multicluster.runtime;

import org.jspecify.annotations.NullMarked;
