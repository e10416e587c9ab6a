// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Renders charts by {@code helm template}. */
final class CliChartRenderer implements ChartRenderer {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWNER = "render";

  private final HelmRunner runner;
  private final HelmEnvironment environment;

  CliChartRenderer(HelmRunner runner, HelmEnvironment environment) {
    this.runner = runner;
    this.environment = environment;
  }

  @Override
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
                request.chart().file().toString(),
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
      return new RenderResult.Failed(CliMessage.of(processResult, redactor, home));
    }
    var text = new StringBuilder();
    try (var files = Files.walk(output)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        text.append("---\n").append(Files.readString(file)).append('\n');
      }
    }
    return new RenderResult.Manifest(text.toString());
  }
}
