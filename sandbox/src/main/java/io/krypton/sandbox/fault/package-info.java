// SPDX-License-Identifier: Apache-2.0
/** A network that misbehaves on request, between a client and a server. */
@NullMarked
package io.krypton.sandbox.fault;

import org.jspecify.annotations.NullMarked;
