// SPDX-License-Identifier: Apache-2.0
/** Who may use a namespace: owners, arbitration, reserved names, termination. */
@NullMarked
package io.krypton.operator.namespace;

import org.jspecify.annotations.NullMarked;
