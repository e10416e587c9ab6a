// SPDX-License-Identifier: Apache-2.0
/** Settings of the gate: flags, variables and a file of kind GateSettings. */
@NullMarked
package io.krypton.agent.gate.config;

import org.jspecify.annotations.NullMarked;
