// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.api.condition.Condition;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.cli.view.RolloutObject;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExplanationTest {
  private static final KubernetesSerialization JSON = new KubernetesSerialization();
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private static final Explanation.ReleaseOwnerLookup OWNERS =
      conflict ->
          conflict.release().equals("tenant-globex-edge")
              ? Optional.of("Tenant default/globex")
              : Optional.empty();

  private static final String CONFLICT =
      "unable to continue with install: ClusterRole \"shared\" in namespace \"\" exists and cannot"
          + " be imported into the current release: invalid ownership metadata; annotation"
          + " validation error: key \"meta.helm.sh/release-name\" must equal"
          + " \"tenant-acme-edge\": current value is \"tenant-globex-edge\"; annotation"
          + " validation error: key \"meta.helm.sh/release-namespace\" must equal \"acme-ws\":"
          + " current value is \"globex-ws\"";

  static Stream<String> reasons() {
    return Stream.of(TenantReasons.class, RolloutReasons.class, DeploymentReasons.class)
        .flatMap(type -> Arrays.stream(type.getDeclaredFields()))
        .filter(field -> Modifier.isPublic(field.getModifiers()))
        .map(ExplanationTest::text);
  }

  private static String text(Field constant) {
    try {
      return String.valueOf(constant.get(null));
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("reasons")
  void every_reason_has_one_sentence_that_says_what_to_do(String reason) {
    assertThat(Remedies.of(reason))
        .hasValueSatisfying(remedy -> assertThat(remedy).endsWith(".").doesNotContain("\n"));
  }

  private static RolloutObject tenant(
      @Nullable Long observed,
      boolean suspend,
      @Nullable RolloutPhase rolloutPhase,
      Condition... conditions) {
    var tenant = new Tenant();
    tenant.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName("acme")
            .withGeneration(2L)
            .withAnnotations(Map.of())
            .build());
    tenant.setSpec(new TenantSpec(null, null, suspend, Map.of(), List.of()));
    tenant.setStatus(
        new TenantStatus(
            observed,
            rolloutPhase,
            "it broke",
            null,
            "acme-ws",
            List.of(),
            null,
            null,
            List.of(conditions)));
    return RolloutObject.of(ObjectKind.TENANT, JSON.convertValue(tenant, JsonNode.class));
  }

  private static Explanation explained(RolloutObject object, Event... events) {
    return Explanation.of(object, List.of(events), OWNERS, NOW);
  }

  @Test
  void a_failure_is_told_with_its_remedy_first_and_how_it_goes_on_after_it() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.ERROR,
                Condition.of("Ready", FALSE, "InstallFailed", "it broke"),
                Condition.of("Reconciling", TRUE, "ProgressingWithRetry", ""),
                Condition.of("Stalled", FALSE, "NotStalled", ""),
                Condition.of("ClusterProgress/edge", FALSE, "InstallFailed", "it broke"),
                Condition.of("ClusterError/edge", TRUE, "InstallFailed", "it broke")));

    assertThat(explanation.summary()).isEqualTo("Error: it broke");
    assertThat(explanation.next()).hasSize(2);
    assertThat(explanation.next().get(0)).startsWith("InstallFailed: Read Helm's message");
    assertThat(explanation.next().get(1)).startsWith("ProgressingWithRetry: The operator tries");
  }

  @Test
  void a_long_message_is_told_once() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.ERROR,
                Condition.of("Ready", FALSE, "InstallFailed", CONFLICT),
                Condition.of("Reconciling", TRUE, "ProgressingWithRetry", CONFLICT),
                Condition.of("Stalled", TRUE, "InstallFailed", CONFLICT),
                Condition.of("ClusterReady/edge", FALSE, "InstallFailed", CONFLICT),
                Condition.of("ClusterProgress/edge", FALSE, "InstallFailed", CONFLICT),
                Condition.of("ClusterError/edge", TRUE, "InstallFailed", CONFLICT)),
            event("HelmInstallFailed", "tenant-acme-edge: " + CONFLICT, 1, 1));

    var text = String.join("\n", ExplanationText.lines(explanation, false));

    assertThat(text.split(Pattern.quote(CONFLICT), -1)).hasSize(2);
    assertThat(text).contains("ClusterError/edge", "(as above)");
  }

  @Test
  void the_owner_of_a_conflicting_object_is_named() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.ERROR,
                Condition.of("ClusterError/edge", TRUE, "InstallFailed", CONFLICT)));

    assertThat(explanation.next().getFirst())
        .isEqualTo(
            "Conflict: ClusterRole shared belongs to Tenant default/globex (release"
                + " tenant-globex-edge in namespace globex-ws): let one of them leave it out by"
                + " its values, or delete the other.");
  }

  @Test
  void a_message_of_several_lines_goes_on_below_its_row() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.ERROR,
                Condition.of("ClusterError/edge", TRUE, "InstallFailed", "first\nsecond")));

    assertThat(ExplanationText.lines(explanation, false))
        .contains("    second")
        .noneMatch(line -> line.contains("\n"));
  }

  @Test
  void a_cured_error_needs_nothing() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.READY,
                Condition.of("Ready", TRUE, "Deployed", ""),
                Condition.of("Reconciling", FALSE, "Idle", ""),
                Condition.of("ClusterError/edge", FALSE, "Resolved", "")));

    assertThat(explanation.next()).containsExactly("Nothing to do.");
  }

  @Test
  void a_refused_dry_run_is_told_beside_a_good_install() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.READY,
                Condition.of("Ready", TRUE, "Deployed", ""),
                Condition.of("Reconciling", FALSE, "Idle", ""),
                Condition.of(
                    "ClusterDriftChecked/edge",
                    FALSE,
                    "DryRunRefused",
                    "Service/a/web: HTTP 403")));

    assertThat(explanation.next())
        .singleElement()
        .asString()
        .startsWith("DryRunRefused: The release runs, but");
    assertThat(explanation.conditions()).extracting("message").contains("Service/a/web: HTTP 403");
  }

  @Test
  void a_comparison_that_works_again_needs_nothing() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.READY,
                Condition.of("ClusterDriftChecked/edge", TRUE, "Checked", ""),
                Condition.of("DriftChecked", TRUE, "Checked", "")));

    assertThat(explanation.next()).containsExactly("Nothing to do.");
  }

  @Test
  void what_nobody_has_looked_at_leads_to_the_operator_and_its_cluster() {
    var explanation = explained(tenant(null, false, null));

    assertThat(explanation.summary()).isEqualTo("no operator has looked at it yet");
    assertThat(explanation.next()).singleElement().asString().contains("krypton clusters");
  }

  @Test
  void a_change_that_is_not_seen_yet_is_told() {
    assertThat(explained(tenant(1L, false, RolloutPhase.READY)).next())
        .singleElement()
        .asString()
        .startsWith("The operator has not seen the last change yet");
  }

  @Test
  void a_suspended_object_is_resumed() {
    var explanation =
        explained(
            tenant(
                2L, true, RolloutPhase.READY, Condition.of("Reconciling", FALSE, "Suspended", "")));

    assertThat(explanation.summary()).startsWith("Ready, suspended");
    assertThat(explanation.next()).singleElement().asString().contains("krypton resume");
  }

  @Test
  void the_workspace_is_named_in_commands() {
    var explanation =
        explained(
            tenant(
                2L,
                false,
                RolloutPhase.PENDING,
                Condition.of("Ready", FALSE, "NotReady", "Deployment/x")));

    assertThat(explanation.next()).singleElement().asString().contains("kubectl -n acme-ws");
  }

  @Test
  void events_come_in_the_order_of_time_with_their_count() {
    var explanation =
        explained(
            tenant(2L, false, RolloutPhase.READY), event("Second", 2, 3), event("First", 1, 1));

    assertThat(explanation.events())
        .extracting(Explanation.ObjectEvent::reason)
        .containsExactly("First", "Second");
    assertThat(ExplanationText.lines(explanation, false))
        .contains("  4s ago   First    said", "  3s ago   Second   said (3 times)");
  }

  private static Event event(String reason, int second, int count) {
    return event(reason, "said", second, count);
  }

  private static Event event(String reason, String message, int second, int count) {
    return new EventBuilder()
        .withNewMetadata()
        .endMetadata()
        .withReason(reason)
        .withMessage(message)
        .withType("Normal")
        .withCount(count)
        .withLastTimestamp("2026-01-02T03:04:%02dZ".formatted(second))
        .build();
  }
}
