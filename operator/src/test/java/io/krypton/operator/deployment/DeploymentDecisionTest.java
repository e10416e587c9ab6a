// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Annotations;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Account;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region;
import io.krypton.operator.namespace.ReservedNamespaces;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeploymentDecisionTest {
  private static final ReservedNamespaces RESERVED = new ReservedNamespaces(Set.of("krypton"));

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_deployment_asks_for(String rule, KryptonDeployment deployment, String expected) {
    assertThat(DeploymentDecision.decide(deployment, RESERVED).toString()).startsWith(expected);
  }

  static Stream<Arguments> a_deployment_asks_for() {
    return Stream.of(
        row("a rollout", "acme", "app", false, it -> {}, "RollOut"),
        row("nothing while it is suspended", "acme", "app", true, it -> {}, "Suspend"),
        row(
            "nothing that has no account",
            " ",
            "app",
            false,
            it -> {},
            "Reject[reason=AccountMissing, message=Spec.account.name must be set]"),
        row(
            "no namespace of the system",
            "acme",
            "kube-app",
            false,
            it -> {},
            "Reject[reason=ReservedNamespace"),
        row(
            "no namespace of the operator",
            "acme",
            "krypton",
            false,
            it -> {},
            "Reject[reason=ReservedNamespace"),
        row(
            "cleanup when deleted, suspended and invalid as it may be",
            "",
            "kube-app",
            true,
            it -> it.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z"),
            "CleanUp[orphan=false]"),
        row(
            "to be orphaned",
            "acme",
            "app",
            false,
            it -> {
              it.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
              it.getMetadata()
                  .setAnnotations(Map.of(Annotations.DELETION_POLICY, Annotations.ORPHAN));
            },
            "CleanUp[orphan=true]"));
  }

  private static Arguments row(
      String rule,
      String account,
      String name,
      boolean suspend,
      Consumer<KryptonDeployment> change,
      String expected) {
    var deployment = new KryptonDeployment();
    deployment.getMetadata().setName(name);
    deployment.setSpec(
        new KryptonDeploymentSpec(
            new Account(account, null, null),
            new Region("eu", null, null),
            suspend,
            Map.of(),
            List.of()));
    change.accept(deployment);
    return Arguments.of(rule, deployment, expected);
  }
}
