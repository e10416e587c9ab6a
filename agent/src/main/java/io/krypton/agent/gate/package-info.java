// SPDX-License-Identifier: Apache-2.0
/** The commands of the gate. */
@NullMarked
package io.krypton.agent.gate;

import org.jspecify.annotations.NullMarked;
