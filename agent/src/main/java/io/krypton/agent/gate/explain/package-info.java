/** The contract for authors of plugins, and a configuration in words. */
@NullMarked
package io.krypton.agent.gate.explain;

import org.jspecify.annotations.NullMarked;
