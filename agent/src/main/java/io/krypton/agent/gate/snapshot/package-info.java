/** What the gate knows at one moment, and how it says it; values only. */
@NullMarked
package io.krypton.agent.gate.snapshot;

import org.jspecify.annotations.NullMarked;
