// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts operators with one of the test charts. */
final class Operators {
  private Operators() {}

  static Path chart(String name) {
    return Shell.ROOT.resolve("e2e/src/test/resources/charts").resolve(name);
  }

  static Operator start(
      Path directory, ControlPlane home, String namespace, String chart, String... flags)
      throws IOException {
    return start(directory, home.adminKubeconfig(), namespace, chart, flags);
  }

  /** The same by a kubeconfig of home, which may lead through a proxy. */
  static Operator start(
      Path directory, String home, String namespace, String chart, String... flags)
      throws IOException {
    var all =
        new ArrayList<>(
            List.of(
                "-chart-repo=" + chart(chart),
                "-chart-name=" + chart,
                "-chart-version=0.1.0",
                "--watch-namespaces=default"));
    all.addAll(List.of(flags));
    return start(directory, home, namespace, all);
  }

  /**
   * With any chart flags. The operators of one test, one after the other, share a data directory.
   */
  static Operator start(Path directory, ControlPlane home, String namespace, List<String> flags)
      throws IOException {
    return start(directory, home.adminKubeconfig(), namespace, flags);
  }

  /** The same by a kubeconfig of home. */
  static Operator start(Path directory, String home, String namespace, List<String> flags)
      throws IOException {
    var all =
        new ArrayList<>(
            List.of(
                "-namespace=" + namespace,
                "--self-cluster=never",
                "--data-dir=" + directory.resolve("data")));
    all.addAll(flags);
    return Operator.start(
        Files.createTempDirectory(directory, "operator"), home, all.toArray(String[]::new));
  }
}
