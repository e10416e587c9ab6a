// SPDX-License-Identifier: Apache-2.0
/** Caches of what one cluster holds, kept up to date through outages of any length. */
@NullMarked
package io.krypton.multicluster.cache;

import org.jspecify.annotations.NullMarked;
