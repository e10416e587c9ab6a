package io.krypton.kms.protocol;

import io.krypton.kms.probe.PluginProbe;
import io.krypton.kms.probe.PluginSpec;
import io.krypton.kms.probe.ProbeTools;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Outcome;
import java.time.Duration;

/** Looks at one socket from a process of its own, probes it, and prints what both have found. */
final class LookMain {
  private LookMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    var endpoint = Endpoint.ofAddress(arguments[0]);
    try (var connections = new PluginConnections();
        var connection = connections.open(endpoint, () -> {})) {
      var look =
          connection.look().map(fault -> fault.fault() + " " + fault.errno()).orElse("connected");
      var spec = new PluginSpec("1", KmsApi.V2, endpoint, Duration.ofSeconds(20));
      var probed = new PluginProbe(spec, connection, ProbeTools.standard()).status().outcome();
      var cause =
          probed instanceof Outcome.Failing(Finding finding)
              ? finding.verdict() + " " + finding.cause()
              : "healthy";
      System.out.println(look + ", " + cause);
    }
  }
}
