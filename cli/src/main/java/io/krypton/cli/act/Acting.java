package io.krypton.cli.act;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.cli.view.ObjectName;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.RolloutObjects;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.UserError;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

/** Changes objects and waits for the operator. */
final class Acting {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager("krypton-cli")
          .build();

  private final Session session;
  private final PrintWriter out;

  Acting(Session session, PrintWriter out) {
    this.session = session;
    this.out = out;
  }

  /** All objects are looked at before the first is changed: a wrong name changes nothing. */
  int apply(Change change, Target target) throws InterruptedException {
    var names = target.names();
    var objects = names.stream().map(name -> RolloutObjects.get(session, name)).toList();
    objects.forEach(object -> refuseInVain(change, object));
    for (var object : objects) {
      apply(change, object);
    }
    if (target.wait) {
      await(change, names, target.timeout);
    }
    return 0;
  }

  private static void refuseInVain(Change change, RolloutObject object) {
    if (change instanceof Change.Reconcile && object.suspended() && !object.isDeleted()) {
      throw UserError.failure(
          "%s is suspended, nothing would be rolled out; run 'krypton resume %s' first"
              .formatted(object.name(), object.name()));
    }
  }

  private void apply(Change change, RolloutObject object) {
    if (change.isIn(object)) {
      say("%s is %s already".formatted(object.name().qualified(), change.word()));
      return;
    }
    var patched = RolloutObjects.resource(session, object.name()).patch(MERGE, change.patch());
    if (patched == null) {
      throw UserError.failure(object.name() + " was deleted meanwhile");
    }
    say("%s %s".formatted(object.name().qualified(), change.word()));
  }

  private void await(Change change, List<ObjectName> names, Duration timeout)
      throws InterruptedException {
    var deadline = System.nanoTime() + timeout.toNanos();
    for (var name : names) {
      var object = RolloutObjects.get(session, name);
      while (!change.isHandledIn(object)) {
        if (System.nanoTime() > deadline) {
          throw UserError.failure(
              "the operator has not acted on %s within %d s; 'krypton explain %s' tells more"
                  .formatted(name, timeout.toSeconds(), name));
        }
        Thread.sleep(PAUSE);
        object = RolloutObjects.get(session, name);
      }
      say("%s: %s".formatted(name.qualified(), outcome(object)));
    }
  }

  private static String outcome(RolloutObject object) {
    var reason = object.reason();
    return object.phaseWord() + (reason.isEmpty() ? "" : " (" + reason + ")");
  }

  private void say(String line) {
    out.println(line);
    out.flush();
  }
}
