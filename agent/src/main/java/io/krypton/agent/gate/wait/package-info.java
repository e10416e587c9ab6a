// SPDX-License-Identifier: Apache-2.0
/** When a gate opens, gives up or goes on, and what it leaves behind. */
@NullMarked
package io.krypton.agent.gate.wait;

import org.jspecify.annotations.NullMarked;
