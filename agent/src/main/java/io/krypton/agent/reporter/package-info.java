// SPDX-License-Identifier: Apache-2.0
/** The reporter: probes the KMS plugins of a node and reports their health to the cluster. */
@NullMarked
package io.krypton.agent.reporter;

import org.jspecify.annotations.NullMarked;
