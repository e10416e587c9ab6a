// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.multicluster.queue.FairConcurrencyLimiter;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.ExclusiveServerLocks;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmClient.OperationListener;
import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.HelmOperation.Rollback;
import io.krypton.operator.release.helm.HelmOperation.Uninstall;
import io.krypton.operator.release.helm.HelmOperation.Upgrade;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Runs the Helm 4 command line, one child process for each operation. */
public final class HelmCli implements HelmClient {
  // Helm has one exit code for everything; only this text distinguishes failures.
  private static final String UNREACHABLE = "kubernetes cluster unreachable";

  private final HelmSettings settings;
  private final OperationListener listener;
  private final HelmRunner runner;
  private final HelmEnvironment environment;
  private final FairConcurrencyLimiter<ReleaseKey> slots;
  private final ExclusiveServerLocks serverLocks;
  private final Map<ReleaseKey, FairConcurrencyLimiter.Permit> reserved = new ConcurrentHashMap<>();
  private final ValidationCache validationCache = new ValidationCache();
  private final Set<ReleaseKey> running = ConcurrentHashMap.newKeySet();

  /** Also removes what an earlier run left behind when it was killed. */
  public HelmCli(HelmSettings settings, OperationListener listener) {
    this.settings = settings;
    this.listener = listener;
    this.runner = new HelmRunner(settings);
    this.environment = new HelmEnvironment(settings);
    this.slots = new FairConcurrencyLimiter<>(settings.limits(), System::nanoTime);
    this.serverLocks = new ExclusiveServerLocks(System::nanoTime);
  }

  /** Downloads and packs charts with the same program. */
  public ChartTool charts() {
    return new HelmChartTool(runner, environment);
  }

  /** Checks the program now and until it is usable, not only when the first release needs it. */
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
    serverLocks.cancelWaiting(cluster);
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
        return runTimed(operation);
      }
      if (!reserve(release, () -> {})) {
        releaseReservation(release);
        return report(operation, new HelmResult.Busy("there is no free helm slot"), 0);
      }
      try {
        return runTimed(operation);
      } finally {
        releaseReservation(release);
      }
    } finally {
      running.remove(release);
    }
  }

  private HelmResult runTimed(HelmOperation operation) {
    var start = System.nanoTime();
    return report(operation, runWithFiles(operation), System.nanoTime() - start);
  }

  @Override
  public boolean reserve(ReleaseKey release, Runnable call) {
    if (reserved.containsKey(release)) {
      return true;
    }
    var permit = slots.tryAcquire(release.cluster(), release, call);
    permit.ifPresent(it -> reserved.put(release, it));
    return permit.isPresent();
  }

  @Override
  public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
    var taken = serverLocks.tryAcquire(release, server, call);
    if (!taken) {
      releaseSlot(release);
    }
    return taken;
  }

  @Override
  public void releaseReservation(ReleaseKey release) {
    serverLocks.release(release);
    releaseSlot(release);
  }

  private void releaseSlot(ReleaseKey release) {
    var permit = reserved.remove(release);
    if (permit == null) {
      slots.cancel(release.cluster(), release);
    } else {
      permit.close();
    }
  }

  private HelmResult report(HelmOperation operation, HelmResult result, long nanos) {
    listener.finished(operation, result, Duration.ofNanos(nanos));
    return result;
  }

  private HelmResult runWithFiles(HelmOperation operation) {
    if (runner.isClosed()) {
      return new HelmResult.Stopped();
    }
    try (var files = runner.newFiles()) {
      return runWithFiles(operation, files);
    } catch (IOException e) {
      return runner.isClosed()
          ? new HelmResult.Stopped()
          : new HelmResult.Unusable("no private files for helm: " + e.getMessage());
    }
  }

  private HelmResult runWithFiles(HelmOperation operation, OperationFiles files)
      throws IOException {
    var target = operation.target();
    var cluster = target.release().cluster();
    var releaseSpec = specOf(operation);
    var credentials = target.kubeconfig().get();
    var kubeconfig = files.write("kubeconfig", credentials.yaml());
    var values = files.directory().resolve("values.json");
    var validate = true;
    if (releaseSpec != null) {
      files.write("values.json", releaseSpec.values().json());
      validate = !validationCache.contains(cluster, releaseSpec.labels().fingerprint());
    }
    var arguments =
        new HelmArguments(kubeconfig, values, settings.historyMax(), validate).of(operation);
    var limit = target.timeout().plus(settings.timeoutGrace());
    var home = files.directory();
    var variables = environment.forCluster(home, kubeconfig, runner.discoveryCache(cluster));
    var runResult = runner.run(cluster, arguments, variables, home, limit);
    return switch (runResult) {
      case HelmRunner.RunResult.Refused() -> new HelmResult.Stopped();
      case HelmRunner.RunResult.Unusable(var reason) -> new HelmResult.Unusable(reason);
      case HelmRunner.RunResult.Ended(var processResult) when succeeded(processResult) -> {
        if (releaseSpec != null) {
          validationCache.add(cluster, releaseSpec.labels().fingerprint());
        }
        yield new HelmResult.Done();
      }
      case HelmRunner.RunResult.Ended(var processResult) ->
          failure(
              processResult,
              limit,
              HelmMessage.of(processResult, redactor(credentials, releaseSpec), home));
    };
  }

  /** Only for what went wrong: finding all secrets costs more than starting the process. */
  private static Redactor redactor(HelmKubeconfig credentials, @Nullable ReleaseSpec releaseSpec) {
    var secrets = new HashSet<>(credentials.secrets());
    if (releaseSpec != null) {
      secrets.addAll(releaseSpec.values().secrets());
    }
    return new Redactor(secrets);
  }

  private static @Nullable ReleaseSpec specOf(HelmOperation operation) {
    return switch (operation) {
      case Install(var target, var releaseSpec) -> releaseSpec;
      case Upgrade(var target, var releaseSpec, var orInstall) -> releaseSpec;
      case Rollback rollback -> null;
      case Uninstall uninstall -> null;
    };
  }

  private static boolean succeeded(ProcessResult processResult) {
    return processResult.endReason() == EndReason.EXITED && processResult.exitCode() == 0;
  }

  private static HelmResult failure(ProcessResult processResult, Duration limit, String message) {
    return switch (processResult.endReason()) {
      case TIMED_OUT -> new HelmResult.TimedOut(limit, message);
      case STOPPED -> new HelmResult.Stopped();
      case EXITED ->
          message.contains(UNREACHABLE)
              ? new HelmResult.Unreachable(message)
              : new HelmResult.Failed(message);
    };
  }

  /**
   * What a cluster has already accepted: asking it for its API schema again would cost more than
   * the rest of an upgrade.
   */
  static final class ValidationCache {
    private static final int REMEMBERED = 10_000;

    private record Accepted(String cluster, Fingerprint fingerprint) {}

    private final Map<Accepted, Boolean> entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Accepted, Boolean> eldest) {
            return size() > REMEMBERED;
          }
        };

    synchronized boolean contains(String cluster, Fingerprint fingerprint) {
      return entries.get(new Accepted(cluster, fingerprint)) != null;
    }

    synchronized void add(String cluster, Fingerprint fingerprint) {
      entries.put(new Accepted(cluster, fingerprint), true);
    }
  }
}
