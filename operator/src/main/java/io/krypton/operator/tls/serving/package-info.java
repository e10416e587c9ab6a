// SPDX-License-Identifier: Apache-2.0
/** TLS of a server that takes new certificates and profiles between two connections. */
@NullMarked
package io.krypton.operator.tls.serving;

import org.jspecify.annotations.NullMarked;
