// SPDX-License-Identifier: Apache-2.0
/** Writes the report of a node and renews its Lease, with back-off. */
@NullMarked
package io.krypton.agent.reporter.publish;

import org.jspecify.annotations.NullMarked;
