// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.targets;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.Observation;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.kmshealth.input.ExpectedNodesResolver.NodeSelection;
import io.krypton.operator.kmshealth.openshift.ApiServerConfig;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperatorStatus;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperatorStatus.NodeStatus;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operator of OpenShift.
 *
 * @param clusterOperator the name of its ClusterOperator
 * @param config decides whether KMS is in use
 * @param deployment runs its API server; null for the one that runs in static pods
 */
public record OpenShiftTarget<T extends OpenShiftOperator>(
    String targetName,
    Class<T> type,
    Supplier<T> factory,
    String clusterOperator,
    ObjectCache<ApiServerConfig> config,
    @Nullable ObjectCache<Deployment> deployment)
    implements HealthTarget<T> {

  @Override
  public TargetState stateOf(T object) {
    var status = object.getStatus();
    return new TargetState(
        status.conditions(),
        status.healthReports(),
        new PublishedStatus(status.conditions(), List.of(), null),
        new Observation.TargetSpec(
            isKnownInUse(status) ? true : null,
            Set.of(),
            null,
            KmsHealthSpec.DEFAULT.convergedFor().value(),
            Set.of()),
        expectedBy(status),
        KmsHealthSpec.DEFAULT.degradedInertia().value());
  }

  /** While it cannot be read, the last known value holds. */
  private boolean isKnownInUse(OpenShiftOperatorStatus status) {
    return config.hasSynced()
        ? config.get("", NAME).map(ApiServerConfig::usesKms).orElse(false)
        : ConditionList.find(status.conditions(), KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED)
            .isPresent();
  }

  private NodeSelection expectedBy(OpenShiftOperatorStatus status) {
    if (deployment == null) {
      var nodes = status.nodeStatuses();
      return nodes.isEmpty()
          ? new NodeSelection.Labels(Map.of(), false)
          : new NodeSelection.Platform(
              names(nodes.stream()), names(nodes.stream().filter(NodeStatus::isInRollout)));
    }
    return deployment.failure().isPresent() ? new NodeSelection.Unknown() : expectedBy(deployment);
  }

  private static NodeSelection expectedBy(ObjectCache<Deployment> deployment) {
    return deployment.list().stream()
        .findFirst()
        .<NodeSelection>map(
            runs ->
                new NodeSelection.Labels(
                    Optional.ofNullable(runs.getSpec().getTemplate().getSpec().getNodeSelector())
                        .orElse(Map.of()),
                    true))
        .orElse(new NodeSelection.Unknown());
  }

  private static Set<String> names(Stream<NodeStatus> nodes) {
    return nodes.map(NodeStatus::nodeName).collect(Collectors.toSet());
  }

  @Override
  public T applyConfiguration(AggregationResult aggregationResult, T live) {
    var fresh = blank();
    fresh.setStatus(OpenShiftOperatorStatus.of(aggregationResult.conditions()));
    return fresh;
  }

  @Override
  public T blank() {
    var blank = factory.get();
    blank.setSpec(null);
    blank.setStatus(null);
    return blank;
  }

  @Override
  public void createIfOwned(KubernetesClient client) {
    // The platform's own operator makes it.
  }
}
