package io.krypton.operator.kmshealth.openshift;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.krypton.api.condition.Condition;
import java.util.List;

/** What {@code oc get co} shows. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_EMPTY)
public record ClusterOperatorStatus(
    List<Condition> conditions, List<OperandVersion> versions, List<RelatedObject> relatedObjects) {
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
