// SPDX-License-Identifier: Apache-2.0
/** Plugins and configurations for tests of the gate. */
@NullMarked
package io.krypton.agent.gate.lab;

import org.jspecify.annotations.NullMarked;
