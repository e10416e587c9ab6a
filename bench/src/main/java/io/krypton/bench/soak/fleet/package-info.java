// SPDX-License-Identifier: Apache-2.0
/** The clusters and operators of a soak, and what is done to them. */
@NullMarked
package io.krypton.bench.soak.fleet;

import org.jspecify.annotations.NullMarked;
