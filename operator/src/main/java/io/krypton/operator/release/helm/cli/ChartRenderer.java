// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import io.krypton.operator.release.values.ChartValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Renders charts as a rollout would, without touching a cluster: {@code helm template}. */
public final class ChartRenderer implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWNER = "render";

  private final HelmRunner runner;
  private final HelmEnvironment environment;

  public ChartRenderer(HelmSettings settings) {
    this.runner = new HelmRunner(settings);
    this.environment = new HelmEnvironment(settings);
  }

  /**
   * What is to be rendered, and for which cluster.
   *
   * @param kubeVersion of the cluster, as it says itself
   * @param apiVersions what it serves, as {@code group/version} and {@code group/version/Kind}
   * @param upgrade whether the release is there already; charts may ask for that
   */
  public record Request(
      ReleaseName release,
      String namespace,
      Path chart,
      ChartValues values,
      String kubeVersion,
      List<String> apiVersions,
      boolean upgrade) {
    public Request {
      apiVersions = List.copyOf(apiVersions);
    }
  }

  /** The manifest without hooks, as Helm stores it, or why there is none. */
  public sealed interface RenderResult {
    /** It may hold Secrets, so it shows in no {@code toString}. */
    record Manifest(String yaml) implements RenderResult {
      @Override
      public String toString() {
        return "Manifest(...)";
      }
    }

    record Failed(String message) implements RenderResult {}
  }

  /** Downloads and packs charts with the same program. */
  public ChartTool charts() {
    return new HelmChartTool(runner, environment);
  }

  public RenderResult render(Request request) {
    try (var files = runner.newFiles()) {
      var home = files.directory();
      files.write("values.json", request.values().json());
      var output = Files.createDirectory(home.resolve("rendered"));
      var arguments = arguments(request, home.resolve("values.json"), output);
      return switch (runner.run(OWNER, arguments, environment.forDownloads(home), home, LIMIT)) {
        case HelmRunner.RunResult.Refused() -> new RenderResult.Failed("shutting down");
        case HelmRunner.RunResult.Unusable(var reason) -> new RenderResult.Failed(reason);
        case HelmRunner.RunResult.Ended(var processResult) ->
            rendered(processResult, request, home, output);
      };
    } catch (IOException e) {
      return new RenderResult.Failed("no private files for helm: " + e.getMessage());
    }
  }

  private static List<String> arguments(Request request, Path values, Path output) {
    var arguments =
        new ArrayList<>(
            List.of(
                "template",
                request.release().value(),
                request.chart().toString(),
                "--namespace",
                request.namespace(),
                "--values",
                values.toString(),
                "--no-hooks",
                // Into files: what goes through the pipe is kept up to a limit only.
                "--output-dir",
                output.toString(),
                "--kube-version",
                request.kubeVersion()));
    if (!request.apiVersions().isEmpty()) {
      arguments.addAll(List.of("--api-versions", String.join(",", request.apiVersions())));
    }
    if (request.upgrade()) {
      arguments.add("--is-upgrade");
    }
    return arguments;
  }

  private static RenderResult rendered(
      ProcessResult processResult, Request request, Path home, Path output) throws IOException {
    if (processResult.endReason() != EndReason.EXITED) {
      return new RenderResult.Failed(
          "helm did not render the chart within " + LIMIT.toSeconds() + " s");
    }
    if (processResult.exitCode() != 0) {
      var redactor = new Redactor(request.values().secrets());
      return new RenderResult.Failed(HelmMessage.of(processResult, redactor, home));
    }
    var text = new StringBuilder();
    try (var files = Files.walk(output)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        text.append("---\n").append(Files.readString(file)).append('\n');
      }
    }
    return new RenderResult.Manifest(text.toString());
  }

  @Override
  public void close() {
    runner.close();
  }
}
