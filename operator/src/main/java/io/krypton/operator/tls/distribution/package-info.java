// SPDX-License-Identifier: Apache-2.0
/** Publishes the TLS profile of the cluster and rolls its consumers, in an order that is safe. */
@NullMarked
package io.krypton.operator.tls.distribution;

import org.jspecify.annotations.NullMarked;
