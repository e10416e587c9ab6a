// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import java.nio.file.Path;

/** The charts under {@code src/test/resources/charts}. */
public final class TestCharts {
  public static final Path CONFIGMAP = chart("configmap");
  public static final Path WORKLOAD = chart("workload");

  /** A custom resource definition and a ClusterRole among its templates. */
  public static final Path DEFINITIONS = chart("definitions");

  /** Its hook never ends, so an install or upgrade of it hangs. */
  public static final Path HOOK = chart("hook");

  /** Cannot be rendered. */
  public static final Path BROKEN = chart("broken");

  private TestCharts() {}

  private static Path chart(String name) {
    return Path.of("src/test/resources/charts", name).toAbsolutePath();
  }
}
