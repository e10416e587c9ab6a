// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.soak.check.Invariant;
import io.krypton.bench.soak.check.LogScan;
import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.plan.TenantModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the operators leave on this machine: how they ended, logs, processes. */
final class SoakEvidence {
  /** What must not stand in a log, by its name. */
  private static final Map<String, String> SECRETS =
      Map.of(
          "a private key", "PRIVATE KEY",
          "a private key in base64", "LS0tLS1CRUdJTiBQUklWQVR",
          "a kubeconfig", "client-key-data",
          "a value of a chart", TenantModel.VALUE_PREFIX);

  private SoakEvidence() {}

  static List<Invariant> of(SoakFleet fleet) throws IOException {
    var ends = new ArrayList<String>();
    var errors = new ArrayList<String>();
    var secrets = new ArrayList<String>();
    for (var replica : fleet.replicas()) {
      ends.addAll(replica.surprises());
      var scan = LogScan.of(replica.log(), SECRETS);
      scan.errors().forEach(it -> errors.add(replica.name() + ", " + it));
      scan.secrets().forEach(it -> secrets.add(replica.name() + ", " + it));
    }
    return List.of(
        new Invariant("nobody gives up", "no operator ends by itself, and SIGTERM ends each", ends),
        new Invariant("no bug logged", "no log line is an ERROR or a stack", errors),
        new Invariant(
            "no secret logged", "no key, no kubeconfig and no chart value in a log", secrets));
  }

  /**
   * The processes that name files of an operator or work in its directory, as its Helm worker does;
   * none of them should run any more.
   */
  static List<String> processes(SoakFleet fleet) {
    return ProcessHandle.allProcesses()
        .map(SoakEvidence::commandLineAndPlace)
        .filter(
            line -> fleet.replicas().stream().anyMatch(it -> line.contains(it.directory() + "/")))
        .toList();
  }

  private static String commandLineAndPlace(ProcessHandle process) {
    var files = Path.of("/proc", Long.toString(process.pid()));
    try {
      return Files.readString(files.resolve("cmdline"), StandardCharsets.ISO_8859_1)
              .replace('\0', ' ')
          + "in "
          + Files.readSymbolicLink(files.resolve("cwd"));
    } catch (IOException gone) {
      return "";
    }
  }
}
