// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Charts by {@code helm pull} and {@code helm package}. */
final class CliChartTool implements ChartTool {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWNER = "charts";

  private final HelmRunner runner;
  private final HelmEnvironment environment;

  CliChartTool(HelmRunner runner, HelmEnvironment environment) {
    this.runner = runner;
    this.environment = environment;
  }

  @Override
  public Result pull(String reference, String version, RepoAccess access, Path into) {
    var arguments = new ArrayList<>(List.of("pull", reference, "--destination", into.toString()));
    if (!version.isEmpty()) {
      arguments.addAll(List.of("--version", version));
    }
    if (access.isPlainHttp(reference)) {
      arguments.add("--plain-http");
    }
    return run(arguments, access, RepoAccess.registryOf(reference), into);
  }

  @Override
  public Result pack(Path directory, Path into) {
    return run(
        List.of("package", directory.toString(), "--destination", into.toString()),
        RepoAccess.NONE,
        "",
        into);
  }

  private Result run(List<String> arguments, RepoAccess access, String registry, Path into) {
    try (var files = runner.newFiles()) {
      var home = files.directory();
      var variables = environment.forDownloads(home);
      var all = new ArrayList<>(arguments);
      all.addAll(credentialArguments(access, registry, files, variables));
      return switch (runner.run(OWNER, all, variables, home, LIMIT)) {
        case HelmRunner.RunResult.Refused() -> new Result.Failed("shutting down");
        case HelmRunner.RunResult.Unusable(var reason) -> new Result.Unusable(reason);
        case HelmRunner.RunResult.Ended(var processResult) ->
            result(processResult, access, home, into);
      };
    } catch (IOException e) {
      return new Result.Unusable("no private files for helm: " + e.getMessage());
    }
  }

  /** Arguments and environment name files of this one run; what they hold is secret. */
  private static List<String> credentialArguments(
      RepoAccess access, String registry, OperationFiles files, Map<String, String> variables)
      throws IOException {
    var config = access.registryConfigFor(registry).orElse(null);
    if (config != null) {
      variables.put(HelmEnvironment.REGISTRY_CONFIG, files.write("logins.json", config).toString());
    }
    var arguments = new ArrayList<String>();
    if (access.authority() != null) {
      var file = files.write("ca.crt", access.authority() + "\n");
      arguments.addAll(List.of("--ca-file", file.toString()));
    }
    if (access.certificate() != null && access.key() != null) {
      var certificate = files.write("tls.crt", access.certificate() + "\n");
      var key = files.write("tls.key", access.key() + "\n");
      arguments.addAll(
          List.of("--cert-file", certificate.toString(), "--key-file", key.toString()));
    }
    return arguments;
  }

  private static Result result(ProcessResult processResult, RepoAccess access, Path home, Path into)
      throws IOException {
    if (processResult.endReason() == EndReason.TIMED_OUT) {
      return new Result.Failed("no answer within " + LIMIT.toSeconds() + " s");
    }
    if (processResult.endReason() == EndReason.STOPPED) {
      return new Result.Failed("stopped");
    }
    if (processResult.exitCode() == 0) {
      try (var archives = Files.newDirectoryStream(into, "*.tgz")) {
        return new Result.Fetched(archives.iterator().next());
      }
    }
    var message = CliMessage.of(processResult, new Redactor(access.secrets()), home);
    return isNotFound(message) ? new Result.NotFound() : new Result.Failed(message);
  }

  /**
   * One exit code for everything, so only the text distinguishes a missing tag from a missing
   * server.
   */
  private static boolean isNotFound(String message) {
    return message.endsWith(": not found")
        || message.contains("MANIFEST_UNKNOWN")
        || message.contains("NAME_UNKNOWN")
        || message.contains("could not locate a version matching");
  }
}
