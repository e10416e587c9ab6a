// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kryptondeployment;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.krypton.api.condition.Condition;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.schema.ListMap;
import io.krypton.api.schema.ListSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator has to say about a KryptonDeployment. */
@JsonClassDescription("What the operator last did and saw. Written by the operator only.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record KryptonDeploymentStatus(
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription(
            "Error: the rollout failed. Ready: the release is deployed and its workloads are"
                + " ready. Pending: neither yet.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable RolloutPhase phase,
    @JsonPropertyDescription("The message of the condition Ready.") @Nullable String lastMessage,
    @JsonPropertyDescription("The chart that was last rolled out, as <repo>/<name>:<version>.")
        @Nullable String lastAppliedChart,
    @JsonPropertyDescription("The namespace on the region's cluster: the name of this object.")
        @Nullable String workspace,
    @JsonPropertyDescription("The Helm releases of this object, one for each cluster.")
        @ListMap(keys = "cluster")
        @JsonInclude(NON_EMPTY)
        List<Release> releases,
    @JsonPropertyDescription("The last mesh.openkcm.io/requestedAt that was acted on.")
        @Nullable String lastHandledReconcileAt,
    @JsonPropertyDescription("The last mesh.openkcm.io/forceAt that was acted on.")
        @Nullable String lastHandledForceAt,
    @JsonPropertyDescription("The kubeconfig Secret in use, as <namespace>/<name>.")
        @Nullable String target,
    @JsonPropertyDescription(
            "Earlier targets, as <namespace>/<name>, that still hold a release to be removed.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        List<String> staleTargets,
    @JsonPropertyDescription("Ready, Reconciling and Stalled.")
        @ListMap(keys = "type")
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions) {
  public static final KryptonDeploymentStatus EMPTY =
      new KryptonDeploymentStatus(
          null, null, null, null, null, List.of(), null, null, null, List.of(), List.of());

  public KryptonDeploymentStatus {
    releases = List.copyOf(requireNonNullElse(releases, List.of()));
    staleTargets = List.copyOf(requireNonNullElse(staleTargets, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** Condition reasons of KryptonDeployments, besides those of every rollout. */
  public static final class DeploymentReasons {
    public static final String ACCOUNT_MISSING = "AccountMissing";
    public static final String EDGE_UNAVAILABLE = "EdgeUnavailable";
    public static final String HEALTH_CHECK_FAILED = "HealthCheckFailed";
    public static final String HELM_FAILED = "HelmFailed";
    public static final String HELM_UNINSTALL_FAILED = "HelmUninstallFailed";

    private DeploymentReasons() {}
  }
}
