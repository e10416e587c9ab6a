/** The reporter: probes the node's KMS plugins and tells the cluster when something changed. */
@NullMarked
package io.krypton.agent.reporter;

import org.jspecify.annotations.NullMarked;
