// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.Annotations;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Account;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region.Kubeconfig;
import io.krypton.api.kryptondeployment.KryptonDeploymentSpec.Region.SecretKey;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.deployment.RegionRouting.Access;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RegionRoutingTest {
  private static final RegionRouting ROUTING = new RegionRouting("krypton", "kubeconfig");

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void a_region_names_its_secret(String rule, Region region, String expected) {
    var kubeconfigRef = ROUTING.desiredTarget(deployment(region, null));
    assertThat(kubeconfigRef.secret() + " " + kubeconfigRef.key()).isEqualTo(expected);
  }

  static Stream<Arguments> a_region_names_its_secret() {
    return Stream.of(
        row("by its own name", region(null, null), "krypton/eu-kubeconfig kubeconfig"),
        row("by the older field", region(null, "old"), "krypton/old kubeconfig"),
        row(
            "by namespace and name",
            region(new SecretKey("edge", "team", null), "old"),
            "team/edge kubeconfig"),
        row(
            "by name alone, in the operator's namespace",
            region(new SecretKey("edge", "", ""), null),
            "krypton/edge kubeconfig"),
        row(
            "with a key of its own",
            region(new SecretKey("edge", null, "config"), null),
            "krypton/edge config"),
        row(
            "a namespace without a name is no Secret",
            region(new SecretKey("", "team", null), null),
            "krypton/eu-kubeconfig kubeconfig"),
        row(
            "a key without a name is the key of the usual Secret",
            region(new SecretKey(null, null, "config"), "old"),
            "krypton/old config"));
  }

  @ParameterizedTest(name = "{0}/{1}, labelled: {2}: {3}")
  @CsvSource({
    "krypton, edge, , ALLOWED",
    "team, edge, , ALLOWED",
    "third, edge, true, ALLOWED",
    "third, edge, false, FORBIDDEN",
    "third, edge, , UNKNOWN",
    "krypton, ../../kube-system/secrets/x, , FORBIDDEN",
    "team/../kube-system, edge, true, FORBIDDEN",
    "krypton, Edge, , FORBIDDEN",
    "krypton, a?watch=1, , FORBIDDEN",
  })
  void only_near_or_offered_secrets_may_be_used(
      String namespace, String name, @Nullable Boolean labelled, Access expected) {
    assertThat(ROUTING.access(new SecretRef(namespace, name), "team", labelled))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"krypton/edge, kubeconfig", "team/edge, kubeconfig", "team/edge#config, config"})
  void what_a_status_shows_can_be_read_back(String shown, String key) {
    var kubeconfigRef = ROUTING.parse(shown).orElseThrow();
    assertThat(kubeconfigRef.key()).isEqualTo(key);
    assertThat(ROUTING.format(kubeconfigRef)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({"''", "edge", "/edge", "team/", "team/#key", "team/edge#"})
  void what_is_no_target_is_ignored(String shown) {
    assertThat(ROUTING.parse(shown)).isEmpty();
  }

  @Test
  void a_deployment_is_concerned_by_where_it_goes_is_and_was() {
    var deployment =
        deployment(
            region(null, null), "krypton/us#config", "team/old", "krypton/eu-kubeconfig#was");
    assertThat(ROUTING.allTargets(deployment))
        .extracting(ROUTING::format)
        // Another key of the Secret it goes to is no other place.
        .containsExactly("krypton/eu-kubeconfig", "krypton/us#config", "team/old");
  }

  private static Arguments row(String rule, Region region, String expected) {
    return Arguments.of(rule, region, expected);
  }

  private static Region region(@Nullable SecretKey secret, @Nullable String older) {
    return new Region("eu", secret == null ? null : new Kubeconfig(secret), older);
  }

  @Test
  void targets_that_the_status_cannot_keep_are_read_from_the_object_itself() {
    var present = new KubeconfigRef(new SecretRef("krypton", "eu-kubeconfig"), "kubeconfig");
    var stale = List.of(new KubeconfigRef(new SecretRef("team", "old"), "config"));
    for (var kubeconfigRef : Arrays.asList(present, null)) {
      var deployment = deployment(region(null, null), null);
      deployment
          .getMetadata()
          .setAnnotations(Map.of(Annotations.TARGETS, ROUTING.formatAll(kubeconfigRef, stale)));

      assertThat(ROUTING.currentTarget(deployment)).isEqualTo(Optional.ofNullable(kubeconfigRef));
      assertThat(ROUTING.staleTargets(deployment)).isEqualTo(stale);
    }
  }

  private static KryptonDeployment deployment(
      Region region, @Nullable String target, String... stale) {
    var deployment = new KryptonDeployment();
    deployment.setSpec(
        new KryptonDeploymentSpec(
            new Account("acme", null, null), region, false, Map.of(), List.of()));
    deployment.setStatus(
        new KryptonDeploymentStatus(
            null,
            null,
            null,
            null,
            null,
            List.of(),
            null,
            null,
            target,
            List.of(stale),
            List.of()));
    return deployment;
  }
}
