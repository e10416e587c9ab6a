/** Pages that a program serves on its own node, whatever the state of the cluster. */
@NullMarked
package io.krypton.agent.local;

import org.jspecify.annotations.NullMarked;
