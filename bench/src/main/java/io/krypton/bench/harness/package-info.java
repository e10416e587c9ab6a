// SPDX-License-Identifier: Apache-2.0
/** What measurements share: the operator as it ships, plain Helm, a bare client, clusters. */
@NullMarked
package io.krypton.bench.harness;

import org.jspecify.annotations.NullMarked;
