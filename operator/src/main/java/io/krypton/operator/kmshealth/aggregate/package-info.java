// SPDX-License-Identifier: Apache-2.0
/** What follows from the input of all nodes: a pure decision with a state. */
@NullMarked
package io.krypton.operator.kmshealth.aggregate;

import org.jspecify.annotations.NullMarked;
