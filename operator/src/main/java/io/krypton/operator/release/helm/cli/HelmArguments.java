// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.HelmOperation.Rollback;
import io.krypton.operator.release.helm.HelmOperation.Uninstall;
import io.krypton.operator.release.helm.HelmOperation.Upgrade;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line of an operation: everything secret is behind the name of a private file. */
record HelmArguments(Path kubeconfig, Path values, int historyMax, boolean validate) {

  List<String> of(HelmOperation operation) {
    var target = operation.target();
    var name = target.release().name().value();
    var arguments = new ArrayList<String>();
    switch (operation) {
      case Install(var ignored, var releaseSpec) -> {
        arguments.addAll(List.of("install", name, releaseSpec.chart().file().toString()));
        arguments.addAll(specFlags(releaseSpec));
      }
      case Upgrade(var ignored, var releaseSpec, var orInstall) -> {
        arguments.addAll(List.of("upgrade", name, releaseSpec.chart().file().toString()));
        arguments.addAll(specFlags(releaseSpec));
        arguments.add("--reset-values");
        arguments.addAll(serverSideApplyFlags());
        if (orInstall) {
          arguments.add("--install");
        }
      }
      case Rollback(var ignored, var revision) -> {
        arguments.addAll(List.of("rollback", name, Integer.toString(revision)));
        arguments.addAll(serverSideApplyFlags());
      }
      case Uninstall(var ignored) ->
          arguments.addAll(List.of("uninstall", name, "--ignore-not-found", "--wait"));
    }
    arguments.addAll(
        List.of(
            "--namespace",
            target.release().namespace(),
            "--kubeconfig",
            kubeconfig.toString(),
            "--timeout",
            target.timeout().toMillis() + "ms"));
    return arguments;
  }

  /** Readiness of workloads is not Helm's to wait for: it would hold a slot while pods start. */
  private List<String> specFlags(ReleaseSpec releaseSpec) {
    var labels =
        releaseSpec.labels().asMap().entrySet().stream()
            .map(label -> label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining(","));
    var arguments =
        new ArrayList<>(
            List.of("--values", values.toString(), "--labels", labels, "--wait=hookOnly"));
    if (!validate) {
      arguments.add("--disable-openapi-validation");
    }
    return arguments;
  }

  /** Without force a field that somebody edited by hand would make its own repair fail. */
  private List<String> serverSideApplyFlags() {
    return List.of(
        "--history-max", Integer.toString(historyMax), "--server-side=true", "--force-conflicts");
  }
}
