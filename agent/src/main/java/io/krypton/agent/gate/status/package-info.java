// SPDX-License-Identifier: Apache-2.0
/** What the gate knows at one moment, and how it says it; values only. */
@NullMarked
package io.krypton.agent.gate.status;

import org.jspecify.annotations.NullMarked;
