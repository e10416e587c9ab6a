// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutConditionTypes;
import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutReasons;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rolloutapproval.RolloutApprovalStatus;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.cli.explain.ClassRemedies;
import io.krypton.cli.explain.Remedies;
import io.krypton.cli.fleet.KmsRemedies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Turns condition types and reasons into a page for people. */
final class ConditionReference {
  private static final String HEAD =
      """
      # Conditions

      Made from the words of the code and from what `krypton explain` and `krypton kms` say about them; a test keeps it so. `kubectl get -o yaml`
      shows conditions with their messages, `kubectl wait --for=condition=TYPE` waits for one.

      A step that is under way shows once it has lasted 0.3 s, and workloads that are not ready show 0.3 s after Helm has ended.
      Of what takes less there is only the end: it is written with the events of all its steps.
      """;

  /** What a condition tells when it is True. */
  static final Map<String, String> TYPES = types();

  private ConditionReference() {}

  private static Map<String, String> types() {
    var types = new LinkedHashMap<String, String>();
    types.put(
        RolloutConditionTypes.READY,
        "What was asked for is deployed, and its workloads are ready. Of a TenantClass: it can be"
            + " rolled out.");
    types.put(
        RolloutConditionTypes.RECONCILING,
        "The operator has something to do or to wait for. Never True together with `Stalled`.");
    types.put(
        RolloutConditionTypes.STALLED,
        "It failed five times in a row, or only a change by somebody helps. It is still tried, at"
            + " growing intervals.");
    types.put(
        RolloutConditionTypes.DRIFT_CHECKED,
        "Of a KryptonDeployment, once it was False: all objects could be compared with the chart.");
    types.put(
        TenantConditionTypes.CLUSTER_READY,
        "Of a Tenant, for the cluster that is named: it is ready.");
    types.put(
        TenantConditionTypes.CLUSTER_ERROR,
        "Of a Tenant: what went wrong there; False with `Resolved` once it is over.");
    types.put(
        TenantConditionTypes.CLUSTER_PROGRESS,
        "Of a Tenant: what Helm is doing there (after 0.3 s), or did last.");
    types.put(
        TenantConditionTypes.CLUSTER_DRIFT_CHECKED,
        "Of a Tenant, once it was False: all objects there could be compared with the chart.");
    types.put(
        KmsHealthConditionTypes.REPORTER_PREFIX,
        "Of KmsHealth, one for each node: its reporter finds that all plugins work.");
    types.put(
        KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED,
        "Of KmsHealth: a plugin fails, or an expected node does not report. Unknown: it cannot be"
            + " told.");
    types.put(
        KmsHealthConditionTypes.KMS_KEYS_CONVERGED,
        "Of KmsHealth: all nodes have encrypted with the same plugin and remote key for"
            + " `spec.convergedFor`.");
    types.put(
        KmsHealthConditionTypes.KMS_OLD_KEY_UNREADABLE,
        "Of KmsHealth: plugins work, but cannot decrypt the data of an older remote key that is not"
            + " in `spec.retiredKeyHashes`. It does not make `Degraded` True.");
    types.put(
        KmsHealthConditionTypes.DEGRADED,
        "Of KmsHealth: the sum of all conditions whose type ends so, after"
            + " `spec.degradedInertia`. Of a ChartRollout: more has failed, or does not answer, than"
            + " may.");
    types.put(
        KmsHealthConditionTypes.PLATFORM_DETECTED,
        "Of KmsHealth: it is known whether the platform is OpenShift.");
    types.put(
        KmsHealthConditionTypes.TLS_PROFILE_PUBLISHED,
        "Of KmsHealth: the cluster's TLS profile is published for those who consume it.");
    types.put(
        KmsHealthConditionTypes.TLS_PROFILE_NARROWED,
        "Of KmsHealth: not all of the profile can be served.");
    types.put(
        KmsHealthConditionTypes.TLS_PROFILE_DEGRADED,
        "Of KmsHealth: the profile is not in force everywhere.");
    types.put(
        ChartRolloutConditionTypes.PROGRESSING,
        "Of a ChartRollout: it goes on, or waits for a time to come. False: somebody must act, or"
            + " it has ended.");
    types.put(
        ChartRolloutConditionTypes.COMPLETE,
        "Of a ChartRollout: all waves have passed. False with its last phase: it ended otherwise.");
    types.put(
        RolloutApprovalStatus.ACCEPTED,
        "Of a RolloutApproval: its rollout and wave exist, and the approval counts.");
    return types;
  }

  static String page() {
    return HEAD
        + "\n## Types\n\n| Type | When it is True |\n|---|---|\n"
        + TYPES.entrySet().stream()
            .map(type -> "| `%s` | %s |\n".formatted(shown(type.getKey()), type.getValue()))
            .collect(Collectors.joining())
        + reasons("Tenants and KryptonDeployments", Reasons.of(RolloutReasons.class), Remedies::of)
        + reasons("Tenants only", Reasons.of(TenantReasons.class), Remedies::of)
        + reasons("KryptonDeployments only", Reasons.of(DeploymentReasons.class), Remedies::of)
        + reasons("TenantClasses", Reasons.of(ClassReasons.class), ClassRemedies::of)
        + reasons("ChartRollouts", Reasons.of(ChartRolloutReasons.class), ClassRemedies::ofRollout)
        + reasons("KmsHealth", Reasons.of(KmsHealthReasons.class), KmsRemedies::of);
  }

  /** A type that ends with the name of something. */
  private static String shown(String type) {
    return type.endsWith("/") ? type + "CLUSTER" : type.endsWith("_") ? type + "NODE" : type;
  }

  private static String reasons(
      String whose, List<String> words, Function<String, Optional<String>> remedy) {
    return """

    ## Reasons: %s

    | Reason | What to do |
    |---|---|
    %s\
    """
        .formatted(
            whose,
            words.stream()
                .map(
                    word ->
                        "| `%s` | %s |\n".formatted(word, remedy.apply(word).orElse("(not told)")))
                .collect(Collectors.joining()));
  }
}
