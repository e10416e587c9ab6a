// SPDX-License-Identifier: Apache-2.0
/** The small certificate authority of a control plane. */
@NullMarked
package io.krypton.sandbox.pki;

import org.jspecify.annotations.NullMarked;
