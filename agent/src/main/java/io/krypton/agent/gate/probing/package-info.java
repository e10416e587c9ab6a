/** Keeps the plugins of the configuration in view and publishes snapshots. */
@NullMarked
package io.krypton.agent.gate.probing;

import org.jspecify.annotations.NullMarked;
