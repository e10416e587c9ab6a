// SPDX-License-Identifier: Apache-2.0
/** The HTTP endpoints of the gate, answered from snapshots only. */
@NullMarked
package io.krypton.agent.gate.serve;

import org.jspecify.annotations.NullMarked;
