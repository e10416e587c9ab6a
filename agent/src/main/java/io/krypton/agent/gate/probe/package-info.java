// SPDX-License-Identifier: Apache-2.0
/** Keeps the plugins of the configuration in view and publishes snapshots. */
@NullMarked
package io.krypton.agent.gate.probe;

import org.jspecify.annotations.NullMarked;
