// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The Helm program, checked for its version until one check succeeds. */
final class HelmBinary {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final String REMEDY = "; put Helm 4 on the PATH, or name it with --helm-binary";

  /** A Helm 4 that runs, or what is wrong. */
  sealed interface CheckResult {
    record Usable(Path program, String version) implements CheckResult {}

    record Unusable(String reason) implements CheckResult {}
  }

  private final String name;
  private final HelmEnvironment environment;
  private volatile CheckResult known = new CheckResult.Unusable("not checked yet");

  HelmBinary(String name, HelmEnvironment environment) {
    this.name = name;
    this.environment = environment;
  }

  CheckResult check(Path home) {
    if (known instanceof CheckResult.Usable usable) {
      return usable;
    }
    var checkResult =
        environment
            .locate(name)
            .map(program -> askVersion(program, home))
            .orElseGet(
                () -> new CheckResult.Unusable("helm binary '" + name + "' not found" + REMEDY));
    known = checkResult;
    return checkResult;
  }

  /** What the last check found; empty if it is not usable. */
  String version() {
    return known instanceof CheckResult.Usable usable ? usable.version() : "";
  }

  /** What the last check found wrong. */
  Optional<String> problem() {
    return switch (known) {
      case CheckResult.Unusable(var reason) -> Optional.of(reason);
      case CheckResult.Usable(var program, var version) ->
          Files.isExecutable(program)
              ? Optional.empty()
              : Optional.of(program + " is not there any more" + REMEDY);
    };
  }

  private CheckResult askVersion(Path program, Path home) {
    try {
      var processResult =
          ChildProcess.start(
                  List.of(program.toString(), "version", "--template", "{{.Version}}"),
                  environment.forDownloads(home),
                  home)
              .await(ANSWER);
      var version = processResult.output().strip();
      if (version.matches("v4\\.[0-9]+\\.[0-9]+.*")) {
        return new CheckResult.Usable(program, version);
      }
      return new CheckResult.Unusable(
          "%s is not Helm 4 (it says '%s')%s"
              .formatted(program, version.substring(0, Math.min(40, version.length())), REMEDY));
    } catch (IOException e) {
      return new CheckResult.Unusable(
          "%s does not start: %s%s".formatted(program, e.getMessage(), REMEDY));
    }
  }
}
