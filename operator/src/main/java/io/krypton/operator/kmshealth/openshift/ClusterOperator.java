// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.openshift;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.api.condition.Condition;
import io.krypton.operator.kmshealth.openshift.ClusterOperator.ClusterOperatorStatus;
import java.util.List;
import java.util.Map;

/** {@code clusteroperators.config.openshift.io}: how a part of the platform is doing. */
@Group("config.openshift.io")
@Version("v1")
@Kind("ClusterOperator")
@Plural("clusteroperators")
@Singular("clusteroperator")
public final class ClusterOperator
    extends CustomResource<Map<String, Object>, ClusterOperatorStatus> {
  @Override
  protected Map<String, Object> initSpec() {
    return Map.of();
  }

  @Override
  protected ClusterOperatorStatus initStatus() {
    return ClusterOperatorStatus.EMPTY;
  }

  /** What {@code oc get co} shows. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_EMPTY)
  public record ClusterOperatorStatus(
      List<Condition> conditions,
      List<OperandVersion> versions,
      List<RelatedObject> relatedObjects) {
    static final ClusterOperatorStatus EMPTY =
        new ClusterOperatorStatus(List.of(), List.of(), List.of());

    public ClusterOperatorStatus {
      conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
      versions = List.copyOf(requireNonNullElse(versions, List.of()));
      relatedObjects = List.copyOf(requireNonNullElse(relatedObjects, List.of()));
    }

    /** A version of a part. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(NON_NULL)
    public record OperandVersion(String name, String version) {}

    /** An object to look at; all of it is required, the namespace may be empty. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public record RelatedObject(String group, String resource, String namespace, String name) {}
  }
}
