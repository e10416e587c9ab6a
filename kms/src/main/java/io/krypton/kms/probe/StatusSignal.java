// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import java.util.Optional;

/**
 * Something beside the KMS API that may object to a plugin. It is asked after each Status, on the
 * thread of the probe, and can only make the result worse.
 */
@FunctionalInterface
public interface StatusSignal {

  /** What speaks against the plugin now; its own limits of time are its own business. */
  Optional<ProbeFinding> check(RpcResult<PluginStatus> status, PluginConnection connection)
      throws InterruptedException;
}
