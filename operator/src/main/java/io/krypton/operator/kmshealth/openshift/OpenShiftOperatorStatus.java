// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.openshift;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.KmsHealthStatus.EncryptionStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an operator and its reporters say. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record OpenShiftOperatorStatus(
    @JsonInclude(NON_EMPTY) List<Condition> conditions,
    @Nullable EncryptionStatus encryptionStatus,
    @JsonProperty("oauthAPIServer") @Nullable OauthApiServer oauthApiServer,
    @JsonInclude(NON_EMPTY) List<NodeStatus> nodeStatuses) {
  static final OpenShiftOperatorStatus EMPTY =
      new OpenShiftOperatorStatus(List.of(), null, null, List.of());

  public OpenShiftOperatorStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
    nodeStatuses = List.copyOf(requireNonNullElse(nodeStatuses, List.of()));
  }

  public static OpenShiftOperatorStatus of(List<Condition> conditions) {
    return new OpenShiftOperatorStatus(conditions, null, null, List.of());
  }

  /** Wherever this kind of object keeps them. */
  public List<HealthReport> healthReports() {
    var holder =
        encryptionStatus == null && oauthApiServer != null
            ? oauthApiServer.encryptionStatus()
            : encryptionStatus;
    return holder == null ? List.of() : holder.healthReports();
  }

  /** The part of the authentication operator that is about its API server. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record OauthApiServer(@Nullable EncryptionStatus encryptionStatus) {}

  /** How far a node is in a rollout. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record NodeStatus(
      String nodeName, @Nullable Integer currentRevision, @Nullable Integer targetRevision) {
    public NodeStatus {
      nodeName = requireNonNullElse(nodeName, "");
    }

    public boolean isInRollout() {
      return targetRevision != null
          && targetRevision != 0
          && !targetRevision.equals(currentRevision);
    }
  }
}
