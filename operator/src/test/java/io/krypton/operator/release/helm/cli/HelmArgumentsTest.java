// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.TestOperations;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HelmArgumentsTest {
  private static final Path CHART = Path.of("/charts/abc.tgz");
  private static final HelmArguments FIRST_TIME =
      new HelmArguments(Path.of("/private/kubeconfig"), Path.of("/private/values.json"), 5, true);
  private static final HelmArguments KNOWN =
      new HelmArguments(Path.of("/private/kubeconfig"), Path.of("/private/values.json"), 5, false);
  private static final String COMMON =
      " --namespace acme --kubeconfig /private/kubeconfig --timeout 30000ms";

  private final TestOperations operations =
      TestOperations.on("edge", "acme", "tenant-acme-edge", "token: hunter2");

  @Test
  void install() {
    assertThat(line(FIRST_TIME, operations.install(CHART)))
        .isEqualTo("install tenant-acme-edge /charts/abc.tgz" + rollout(1) + COMMON);
  }

  @Test
  void what_the_cluster_accepted_before_is_not_validated_again() {
    assertThat(line(KNOWN, operations.install(CHART)))
        .isEqualTo(
            "install tenant-acme-edge /charts/abc.tgz"
                + rollout(1)
                + " --disable-openapi-validation"
                + COMMON);
  }

  @Test
  void upgrade() {
    assertThat(line(FIRST_TIME, operations.upgrade(CHART, Map.of())))
        .isEqualTo(
            "upgrade tenant-acme-edge /charts/abc.tgz"
                + rollout(2)
                + " --reset-values --history-max 5 --server-side=true --force-conflicts"
                + COMMON);
    assertThat(line(FIRST_TIME, operations.upgradeOrInstall(CHART)))
        .contains(" --force-conflicts --install --namespace");
  }

  @Test
  void rollback() {
    assertThat(line(FIRST_TIME, operations.rollback(3)))
        .isEqualTo(
            "rollback tenant-acme-edge 3 --history-max 5 --server-side=true --force-conflicts"
                + COMMON);
  }

  @Test
  void uninstall() {
    assertThat(line(FIRST_TIME, operations.uninstall()))
        .isEqualTo("uninstall tenant-acme-edge --ignore-not-found --wait" + COMMON);
  }

  @Test
  void nothing_secret_is_an_argument() {
    assertThat(line(FIRST_TIME, operations.install(CHART, Map.of("password", "swordfish"))))
        .doesNotContain("swordfish")
        .doesNotContain("hunter2");
  }

  private String rollout(int revision) {
    var fingerprint = operations.install(CHART).spec().labels().fingerprint().label();
    return " --values /private/values.json --labels mesh.openkcm.io/fingerprint="
        + fingerprint
        + ",mesh.openkcm.io/instance=operator-1,mesh.openkcm.io/owner-uid="
        + TestOperations.OWNER_UID
        + ",mesh.openkcm.io/revision="
        + revision
        + " --wait=hookOnly";
  }

  private static String line(HelmArguments arguments, HelmOperation operation) {
    return String.join(" ", arguments.of(operation));
  }
}
