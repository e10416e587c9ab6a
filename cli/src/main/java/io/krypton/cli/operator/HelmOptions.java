// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What runs Helm. */
public final class HelmOptions {
  private static final String WORKER = "krypton-helm";

  @Option(
      names = "--helm-engine",
      paramLabel = "ENGINE",
      description =
          "What runs Helm: ${COMPLETION-CANDIDATES}; worker is one process for all releases, cli"
              + " one for each operation, auto the worker where it can be used.")
  Engine engine = Engine.auto;

  @Option(
      names = "--helm-worker",
      paramLabel = "FILE",
      description =
          "The worker; default: krypton-helm in libexec beside the launcher, else on PATH.")
  @Nullable String worker;

  @Option(
      names = "--helm-binary",
      paramLabel = "FILE",
      description = "Helm 4, which the engine cli needs.")
  String binary = "helm";

  /** Lower case as users write it. */
  enum Engine {
    auto,
    worker,
    cli
  }

  /** Which engine, and where its programs are. */
  public Programs toPrograms() {
    return new Programs(
        switch (engine) {
          case auto -> EngineChoice.AUTO;
          case worker -> EngineChoice.WORKER;
          case cli -> EngineChoice.CLI;
        },
        binary,
        worker == null ? installed() : worker);
  }

  /** In the distribution it lies beside the other programs; images have it on their path. */
  private static String installed() {
    var home = System.getProperty("krypton.home", "");
    var beside = Path.of(home, "libexec", WORKER);
    return !home.isEmpty() && Files.isExecutable(beside) ? beside.toString() : WORKER;
  }
}
