/** What the gate is told by flags, environment and settings file. */
@NullMarked
package io.krypton.agent.gate.config;

import org.jspecify.annotations.NullMarked;
