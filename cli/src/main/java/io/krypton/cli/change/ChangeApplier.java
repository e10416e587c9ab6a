// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.change;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.cli.settings.DurationConverter;
import io.krypton.cli.view.CliException;
import io.krypton.cli.view.ObjectName;
import io.krypton.cli.view.Progress;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.RolloutObjectReader;
import io.krypton.cli.view.Session;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes objects and waits for the operator. */
final class ChangeApplier {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("krypton-cli")
          .build();

  private final Session session;
  private final PrintWriter out;
  private final PrintWriter err;

  ChangeApplier(Session session, CommandLine commandLine) {
    this.session = session;
    this.out = commandLine.getOut();
    this.err = commandLine.getErr();
  }

  /** All objects are looked at before the first is changed: a wrong name changes nothing. */
  int apply(Change change, Options options) throws InterruptedException {
    var names = options.names();
    var objects = names.stream().map(name -> RolloutObjectReader.get(session, name)).toList();
    objects.forEach(object -> rejectIfSuspended(change, object));
    for (var object : objects) {
      apply(change, object);
    }
    if (options.wait) {
      await(change, names, options.timeout);
    }
    return 0;
  }

  private static void rejectIfSuspended(Change change, RolloutObject object) {
    if (change instanceof Change.Reconcile && object.suspended() && !object.isDeleted()) {
      throw CliException.failure(
          "%s is suspended, nothing would be rolled out; run 'krypton resume %s' first"
              .formatted(object.name(), object.name()));
    }
  }

  private void apply(Change change, RolloutObject object) {
    if (change.isAppliedTo(object)) {
      printLine("%s is %s already".formatted(object.name().qualified(), change.description()));
      return;
    }
    var patched = RolloutObjectReader.resource(session, object.name()).patch(MERGE, change.patch());
    if (patched == null) {
      throw CliException.failure(object.name() + " was deleted meanwhile");
    }
    printLine("%s %s".formatted(object.name().qualified(), change.description()));
  }

  private void await(Change change, List<ObjectName> names, Duration timeout)
      throws InterruptedException {
    var deadline = System.nanoTime() + timeout.toNanos();
    try (var progress = Progress.start(err, "waiting for the operator");
        var handled = progress.count(names.size(), "objects")) {
      for (var name : names) {
        progress.print(out, await(change, name, timeout, deadline, progress));
        handled.advance();
      }
    }
  }

  private String await(
      Change change, ObjectName name, Duration timeout, long deadline, Progress progress)
      throws InterruptedException {
    var object = RolloutObjectReader.get(session, name);
    while (!change.isHandledFor(object)) {
      progress.label(
          "waiting for the operator to act on %s, now %s".formatted(name, phaseAndReason(object)));
      if (System.nanoTime() > deadline) {
        throw CliException.failure(
            "the operator has not acted on %s within %d s; 'krypton explain %s' tells more"
                .formatted(name, timeout.toSeconds(), name));
      }
      Thread.sleep(POLL_INTERVAL);
      object = RolloutObjectReader.get(session, name);
    }
    return "%s: %s".formatted(name.qualified(), phaseAndReason(object));
  }

  private static String phaseAndReason(RolloutObject object) {
    var reason = object.reason();
    return object.phaseName() + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  private void printLine(String line) {
    out.println(line);
    out.flush();
  }

  /** The objects that are changed, and whether to wait for the operator. */
  static final class Options {
    @Parameters(
        arity = "0..*",
        paramLabel = "TYPE/NAME",
        description = "tenant/NAME or kryptondeployment/NAME; also tn NAME…, kd NAME….")
    private List<String> objects = new ArrayList<>();

    @Option(names = "--wait", description = "Wait until the operator has acted on it.")
    boolean wait;

    @Option(
        names = "--timeout",
        paramLabel = "DURATION",
        converter = DurationConverter.class,
        defaultValue = "60s",
        description = "How long --wait waits; default: 60s.")
    Duration timeout = Duration.ofSeconds(60);

    List<ObjectName> names() {
      return ObjectName.parse(objects);
    }
  }
}
