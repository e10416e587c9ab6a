package io.krypton.operator.helm;

import io.krypton.operator.helm.ChildProcess.Ending;
import io.krypton.operator.helm.ChildProcess.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Charts by {@code helm pull} and {@code helm package}. */
final class HelmChartTool implements ChartTool {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWNER = "charts";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final HelmRunner runner;
  private final HelmEnvironment environment;

  HelmChartTool(HelmRunner runner, HelmEnvironment environment) {
    this.runner = runner;
    this.environment = environment;
  }

  @Override
  public Result pull(String reference, String version, Path into) {
    var arguments = new ArrayList<>(List.of("pull", reference, "--destination", into.toString()));
    if (!version.isEmpty()) {
      arguments.addAll(List.of("--version", version));
    }
    // As other clients of registries do: nobody has a certificate for localhost.
    if (LOOPBACK.contains(String.valueOf(URI.create(reference).getHost()))) {
      arguments.add("--plain-http");
    }
    return run(arguments, into);
  }

  @Override
  public Result pack(Path directory, Path into) {
    return run(List.of("package", directory.toString(), "--destination", into.toString()), into);
  }

  private Result run(List<String> arguments, Path into) {
    try (var files = runner.newFiles()) {
      var home = files.directory();
      return switch (runner.run(OWNER, arguments, environment.forDownloads(home), home, LIMIT)) {
        case HelmRunner.Run.Refused() -> new Result.Failed("shutting down");
        case HelmRunner.Run.Unusable(var reason) -> new Result.Failed(reason);
        case HelmRunner.Run.Ended(var outcome) -> result(outcome, home, into);
      };
    } catch (IOException e) {
      return new Result.Failed("no private files for helm: " + e.getMessage());
    }
  }

  private static Result result(Outcome outcome, Path home, Path into) throws IOException {
    if (outcome.ending() == Ending.TIMED_OUT) {
      return new Result.Failed("no answer within " + LIMIT.toSeconds() + " s");
    }
    if (outcome.ending() == Ending.STOPPED) {
      return new Result.Failed("stopped");
    }
    if (outcome.exitCode() == 0) {
      try (var archives = Files.newDirectoryStream(into, "*.tgz")) {
        return new Result.Fetched(archives.iterator().next());
      }
    }
    var message = HelmMessage.of(outcome, new Redaction(Set.of()), home);
    return saysNotFound(message) ? new Result.NotFound() : new Result.Failed(message);
  }

  /** One exit code for everything, so the text has to tell a missing tag from a missing server. */
  private static boolean saysNotFound(String message) {
    return message.endsWith(": not found")
        || message.contains("MANIFEST_UNKNOWN")
        || message.contains("NAME_UNKNOWN")
        || message.contains("could not locate a version matching");
  }
}
