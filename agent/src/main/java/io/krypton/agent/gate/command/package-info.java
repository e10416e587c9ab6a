/** The commands of the gate. */
@NullMarked
package io.krypton.agent.gate.command;

import org.jspecify.annotations.NullMarked;
