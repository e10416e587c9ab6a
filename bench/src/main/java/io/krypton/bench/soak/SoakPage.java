// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import io.krypton.bench.soak.SoakResult.VitalSample;
import io.krypton.bench.soak.check.Invariant;
import io.krypton.bench.soak.plan.SoakFault;
import io.krypton.bench.soak.plan.SoakSchedule;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.SoakStep.FaultStep;
import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import io.krypton.bench.soak.plan.TenantEdit;
import java.util.Map;

/** The result of a soak as Markdown. */
final class SoakPage {
  private static final String COVERED =
      """

      ## What this covers, and what not

      - A clock jump is one of the operator's Java process: a library before libc adds up to 50 minutes to its wall
        clock, or takes them away. Helm and all other processes of the machine keep the true time.
      - A freeze stops an operator and its Helm worker. They go on together, the worker first. A frozen worker alone goes
        on by itself, or is replaced before.
      - A full disk is the one below `--data-dir`, where charts and the files of Helm runs are.
      - Partitions, slow ways and errors are made by a proxy for each operator and cluster: one operator may be cut off
        alone.
      - No kubelet runs: workloads have no pods, and a container's restart is a new process with the same directory.
      - KryptonDeployments, KMS health and TLS are not part of it.
      """;

  private SoakPage() {}

  static String of(SoakSettings settings, Map<String, String> circumstances, SoakResult result) {
    var schedule = SoakSchedule.of(settings);
    var text = new StringBuilder(head(settings));
    circumstances.forEach((name, value) -> text.append("- %s: %s%n".formatted(name, value)));
    result.notes().forEach(note -> text.append("- %s%n".formatted(note)));
    text.append("\n## What must hold\n\n| Invariant | Meaning | Result |\n|---|---|---|\n");
    result.invariants().forEach(it -> text.append(row(it)));
    text.append(
        "%nIt took %d s after the last fault until all Tenants were as they should be.%n"
            .formatted(result.settled().toSeconds()));
    violations(result, text);
    faults(schedule, text);
    edits(schedule, text);
    text.append("\n## What happened\n\n| | How many |\n|---|---:|\n");
    result.happened().forEach((name, count) -> text.append("| %s | %d |%n".formatted(name, count)));
    curve(result, text);
    return text.append(COVERED).toString();
  }

  private static String head(SoakSettings settings) {
    return """
      # Soak

      Two operators with leader election, and what happens to them by a schedule that a seed gives. The schedule is the
      same each time; what it meets is not, since processes run side by side. This one again:

      ```
      make soak SOAK="%s"
      ```

      """
        .formatted(settings.words());
  }

  private static String row(Invariant invariant) {
    return "| %s | %s | %s |%n"
        .formatted(
            invariant.name(),
            invariant.meaning(),
            invariant.holds()
                ? "holds"
                : "**broken %d ×**".formatted(invariant.violations().size()));
  }

  private static void violations(SoakResult result, StringBuilder text) {
    result.invariants().stream()
        .filter(it -> !it.holds())
        .forEach(
            it -> {
              text.append("%nBroken, *%s*:%n%n```%n".formatted(it.name()));
              it.violations().forEach(violation -> text.append(violation).append('\n'));
              text.append("```\n");
            });
  }

  private static void faults(SoakSchedule schedule, StringBuilder text) {
    var counts = schedule.faults().stream().collect(groupingBy(FaultStep::fault, counting()));
    text.append("\n## Faults\n\n| Fault | How many | All together |\n|---|---:|---:|\n");
    for (var fault : SoakFault.values()) {
      var seconds =
          schedule.faults().stream()
              .filter(it -> it.fault() == fault)
              .mapToLong(it -> it.duration().toSeconds())
              .sum();
      text.append(
          "| %s | %d | %d s |%n"
              .formatted(fault.meaning(), counts.getOrDefault(fault, 0L), seconds));
    }
  }

  private static void edits(SoakSchedule schedule, StringBuilder text) {
    var counts = schedule.edits().stream().collect(groupingBy(TenantStep::edit, counting()));
    text.append("\n## Work and hand edits\n\n| What people do | How many |\n|---|---:|\n");
    for (var edit : TenantEdit.values()) {
      text.append("| %s | %d |%n".formatted(edit.meaning(), counts.getOrDefault(edit, 0L)));
    }
  }

  private static void curve(SoakResult result, StringBuilder text) {
    text.append(
        "\n## The operator that lives on\n\nEach time after a collection of garbage. In the first third of the time it"
            + " is ended and\nstarted again, too.\n\n"
            + "| When | Start | Leads | Threads | Live heap | Resident | Helm worker |\n"
            + "|---|---:|---|---:|---:|---:|---:|\n");
    for (VitalSample sample : result.curve()) {
      text.append(
          "| %s | %d | %s | %d | %.1f MiB | %.0f MiB | %.0f MiB |%n"
              .formatted(
                  sample.when(),
                  sample.start(),
                  sample.leads() ? "yes" : "no",
                  sample.vitals().threads(),
                  sample.vitals().heapMib(),
                  sample.vitals().residentMib(),
                  sample.vitals().workerMib()));
    }
  }
}
