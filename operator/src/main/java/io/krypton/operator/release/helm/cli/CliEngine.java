// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Runs the Helm 4 command line, one child process for each operation. */
public final class CliEngine implements HelmEngine {
  /** As flags call it. */
  public static final String NAME = "cli";

  // Helm has one exit code for everything; only this text distinguishes failures.
  private static final String UNREACHABLE = "kubernetes cluster unreachable";

  private final HelmSettings settings;
  private final HelmFiles files;
  private final HelmRunner runner;
  private final HelmEnvironment environment;
  private final ValidationCache validationCache = new ValidationCache();

  /**
   * An engine that has started nothing yet.
   *
   * @param files are not closed with it
   */
  public CliEngine(HelmSettings settings, HelmFiles files) {
    this.settings = settings;
    this.files = files;
    this.runner = new HelmRunner(settings, files);
    this.environment = new HelmEnvironment(settings);
  }

  @Override
  public ConcurrencyLimits limits() {
    return settings.cli().operations();
  }

  @Override
  public ChartTool charts() {
    return new CliChartTool(runner, environment);
  }

  @Override
  public ChartRenderer renderer() {
    return new CliChartRenderer(runner, environment);
  }

  @Override
  public Readiness check() {
    return switch (runner.check()) {
      case HelmBinary.CheckResult.Usable(var program, var version) -> new Readiness.Ready(version);
      case HelmBinary.CheckResult.Unusable(var reason) -> new Readiness.NotReady(reason);
    };
  }

  @Override
  public Optional<String> problem() {
    return runner.problem();
  }

  @Override
  public EngineStatus status() {
    return new EngineStatus(NAME, "", runner.version(), runner.processes(), 0);
  }

  @Override
  public String instance() {
    return files.instance();
  }

  @Override
  public boolean hasEnded(String instance) {
    return files.hasEnded(instance);
  }

  @Override
  public void stop(String cluster) {
    runner.stop(cluster);
  }

  @Override
  public void forget(String cluster) {
    validationCache.forget(cluster);
  }

  @Override
  public void close() {
    runner.close();
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    if (runner.isClosed()) {
      return new HelmResult.Stopped();
    }
    try (var own = files.newFiles()) {
      return run(operation, own);
    } catch (IOException e) {
      return runner.isClosed()
          ? new HelmResult.Stopped()
          : new HelmResult.Unusable("no private files for helm: " + e.getMessage());
    }
  }

  private HelmResult run(HelmOperation operation, OperationFiles own) throws IOException {
    var target = operation.target();
    var cluster = target.release().cluster();
    var spec = operation.releaseSpec().orElse(null);
    var credentials = target.kubeconfig().get();
    var kubeconfig = own.write("kubeconfig", credentials.yaml());
    var values = own.directory().resolve("values.json");
    var validate = true;
    if (spec != null) {
      own.write("values.json", spec.values().json());
      validate = !validationCache.contains(cluster, spec.labels().fingerprint());
    }
    var arguments =
        new HelmArguments(kubeconfig, values, settings.historyMax(), validate).of(operation);
    var limit = target.timeout().plus(settings.timeoutGrace());
    var home = own.directory();
    var runResult =
        runner.run(cluster, arguments, environment.forCluster(home, kubeconfig), home, limit);
    return switch (runResult) {
      case HelmRunner.RunResult.Refused() -> new HelmResult.Stopped();
      case HelmRunner.RunResult.Unusable(var reason) -> new HelmResult.Unusable(reason);
      case HelmRunner.RunResult.Ended(var processResult) when succeeded(processResult) -> {
        if (spec != null) {
          validationCache.add(cluster, spec.labels().fingerprint());
        }
        yield new HelmResult.Done();
      }
      case HelmRunner.RunResult.Ended(var processResult) ->
          failure(processResult, limit, message(processResult, operation, credentials, home));
    };
  }

  private static boolean succeeded(ProcessResult processResult) {
    return processResult.endReason() == EndReason.EXITED && processResult.exitCode() == 0;
  }

  private static String message(
      ProcessResult processResult,
      HelmOperation operation,
      HelmOperation.HelmKubeconfig credentials,
      Path home) {
    return CliMessage.of(processResult, HelmMessage.redactor(operation, credentials), home);
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
}
