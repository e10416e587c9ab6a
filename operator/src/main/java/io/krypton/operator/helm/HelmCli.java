package io.krypton.operator.helm;

import io.krypton.multicluster.queue.Turns;
import io.krypton.operator.helm.ChildProcess.Ending;
import io.krypton.operator.helm.ChildProcess.Outcome;
import io.krypton.operator.helm.HelmOperation.Install;
import io.krypton.operator.helm.HelmOperation.Rollback;
import io.krypton.operator.helm.HelmOperation.Rollout;
import io.krypton.operator.helm.HelmOperation.Uninstall;
import io.krypton.operator.helm.HelmOperation.Upgrade;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs the Helm 4 command line, one child process for each operation. */
public final class HelmCli implements HelmClient {
  // Helm has one exit code for everything; this text is all there is to tell.
  private static final String UNREACHABLE = "kubernetes cluster unreachable";

  private final HelmSettings settings;
  private final HelmListener listener;
  private final HelmRunner runner;
  private final HelmEnvironment environment;
  private final Turns<ReleaseKey> slots;
  private final LoneTurns alone;
  private final Map<ReleaseKey, Turns.Turn> reserved = new ConcurrentHashMap<>();
  private final Validated validated = new Validated();
  private final Set<ReleaseKey> running = ConcurrentHashMap.newKeySet();

  /** Also removes what an earlier run left behind when it was killed. */
  public HelmCli(HelmSettings settings, HelmListener listener) {
    this.settings = settings;
    this.listener = listener;
    this.runner = new HelmRunner(settings);
    this.environment = new HelmEnvironment(settings);
    this.slots = new Turns<>(settings.limits(), System::nanoTime);
    this.alone = new LoneTurns(System::nanoTime);
  }

  /** Downloads and packs charts with the same program. */
  public ChartTool charts() {
    return new HelmChartTool(runner, environment);
  }

  /** Looks for the program now and until it is usable, not only when the first release needs it. */
  public HelmCheck newCheck() {
    return new HelmCheck(runner);
  }

  /** Children alive now. */
  public int processes() {
    return runner.processes();
  }

  @Override
  public boolean isRunning(ReleaseKey release) {
    return running.contains(release);
  }

  /** An id that no other run has; the next run knows it as ended if this one dies. */
  public String instance() {
    return runner.instance();
  }

  @Override
  public boolean hasEnded(String instance) {
    return runner.hasEnded(instance);
  }

  @Override
  public void stop(String cluster) {
    alone.leave(cluster);
    runner.stop(cluster);
  }

  @Override
  public void close() {
    runner.close();
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    var release = operation.target().release();
    if (!running.add(release)) {
      return report(operation, new HelmResult.Busy("the release is being worked on"), 0);
    }
    try {
      if (reserved.containsKey(release)) {
        return timed(operation);
      }
      if (!reserve(release, () -> {})) {
        giveBack(release);
        return report(operation, new HelmResult.Busy("there is no free helm slot"), 0);
      }
      try {
        return timed(operation);
      } finally {
        giveBack(release);
      }
    } finally {
      running.remove(release);
    }
  }

  private HelmResult timed(HelmOperation operation) {
    var start = System.nanoTime();
    return report(operation, withFiles(operation), System.nanoTime() - start);
  }

  @Override
  public boolean reserve(ReleaseKey release, Runnable call) {
    if (reserved.containsKey(release)) {
      return true;
    }
    var turn = slots.take(release.cluster(), release, call);
    turn.ifPresent(it -> reserved.put(release, it));
    return turn.isPresent();
  }

  @Override
  public boolean reserveAlone(ReleaseKey release, String server, Runnable call) {
    var taken = alone.take(release, server, call);
    if (!taken) {
      giveSlotBack(release);
    }
    return taken;
  }

  @Override
  public void giveBack(ReleaseKey release) {
    alone.giveBack(release);
    giveSlotBack(release);
  }

  private void giveSlotBack(ReleaseKey release) {
    var turn = reserved.remove(release);
    if (turn == null) {
      slots.leave(release.cluster(), release);
    } else {
      turn.close();
    }
  }

  private HelmResult report(HelmOperation operation, HelmResult result, long nanos) {
    listener.finished(operation, result, Duration.ofNanos(nanos));
    return result;
  }

  private HelmResult withFiles(HelmOperation operation) {
    if (runner.isClosed()) {
      return new HelmResult.Stopped();
    }
    try (var files = runner.newFiles()) {
      return withFiles(operation, files);
    } catch (IOException e) {
      return runner.isClosed()
          ? new HelmResult.Stopped()
          : new HelmResult.Unusable("no private files for helm: " + e.getMessage());
    }
  }

  private HelmResult withFiles(HelmOperation operation, OperationFiles files) throws IOException {
    var target = operation.target();
    var cluster = target.release().cluster();
    var rollout = rollout(operation);
    var credentials = target.kubeconfig().get();
    var kubeconfig = files.write("kubeconfig", credentials.yaml());
    var values = files.directory().resolve("values.json");
    var validate = true;
    if (rollout != null) {
      files.write("values.json", rollout.values().json());
      validate = !validated.contains(cluster, rollout.labels().fingerprint());
    }
    var arguments =
        new HelmArguments(kubeconfig, values, settings.historyMax(), validate).of(operation);
    var limit = target.timeout().plus(settings.overtime());
    var home = files.directory();
    var variables = environment.forCluster(home, kubeconfig, runner.discovery(cluster));
    var run = runner.run(cluster, arguments, variables, home, limit);
    return switch (run) {
      case HelmRunner.Run.Refused() -> new HelmResult.Stopped();
      case HelmRunner.Run.Unusable(var reason) -> new HelmResult.Unusable(reason);
      case HelmRunner.Run.Ended(var outcome) when succeeded(outcome) -> {
        if (rollout != null) {
          validated.add(cluster, rollout.labels().fingerprint());
        }
        yield new HelmResult.Done();
      }
      case HelmRunner.Run.Ended(var outcome) ->
          failure(outcome, limit, HelmMessage.of(outcome, redaction(credentials, rollout), home));
    };
  }

  /** Only for what went wrong: finding all secrets costs more than starting the process. */
  private static Redaction redaction(Kubeconfig credentials, @Nullable Rollout rollout) {
    var secrets = new HashSet<>(credentials.secrets());
    if (rollout != null) {
      secrets.addAll(rollout.values().secrets());
    }
    return new Redaction(secrets);
  }

  private static @Nullable Rollout rollout(HelmOperation operation) {
    return switch (operation) {
      case Install(var target, var rollout) -> rollout;
      case Upgrade(var target, var rollout, var orInstall) -> rollout;
      case Rollback rollback -> null;
      case Uninstall uninstall -> null;
    };
  }

  private static boolean succeeded(Outcome outcome) {
    return outcome.ending() == Ending.EXITED && outcome.exitCode() == 0;
  }

  private static HelmResult failure(Outcome outcome, Duration limit, String message) {
    return switch (outcome.ending()) {
      case TIMED_OUT -> new HelmResult.TimedOut(limit, message);
      case STOPPED -> new HelmResult.Stopped();
      case EXITED ->
          message.contains(UNREACHABLE)
              ? new HelmResult.Unreachable(message)
              : new HelmResult.Failed(message);
    };
  }
}
