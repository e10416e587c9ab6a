// SPDX-License-Identifier: Apache-2.0
/** Digests, PEM and private keys; no message ever quotes key material. */
@NullMarked
package io.krypton.base.crypto;

import org.jspecify.annotations.NullMarked;
