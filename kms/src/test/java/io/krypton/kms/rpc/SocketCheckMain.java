// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.probe.PluginProbe;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import java.time.Duration;

/** Looks at one socket from a process of its own, probes it, and prints what both have found. */
final class SocketCheckMain {
  private SocketCheckMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    var endpoint = Endpoint.ofAddress(arguments[0]);
    try (var connections = new PluginConnectionPool();
        var connection = connections.open(endpoint, () -> {})) {
      var look =
          connection
              .checkSocket()
              .map(fault -> fault.fault() + " " + fault.errno())
              .orElse("connected");
      var spec = new PluginSpec("1", KmsApiVersion.V2, endpoint, Duration.ofSeconds(20));
      var probed = new PluginProbe(spec, connection, ProbeTools.standard()).status().outcome();
      var cause =
          probed instanceof ProbeOutcome.Failing(ProbeFinding probeFinding)
              ? probeFinding.verdict() + " " + probeFinding.cause()
              : "healthy";
      System.out.println(look + ", " + cause);
    }
  }
}
