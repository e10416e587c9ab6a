// SPDX-License-Identifier: Apache-2.0
/** Pages that a program serves on its own node, whatever the state of the cluster. */
@NullMarked
package io.krypton.agent.http;

import org.jspecify.annotations.NullMarked;
