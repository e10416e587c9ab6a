package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Conditions;
import io.krypton.api.kmshealth.KmsHealthConditions;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.kmshealth.openshift.ApiServerConfig;
import io.krypton.operator.kmshealth.openshift.OperatorStatus;
import io.krypton.operator.kmshealth.openshift.OperatorStatus.NodeStatus;
import io.krypton.operator.kmshealth.openshift.PlatformOperator;
import io.krypton.operator.kmshealth.verdict.Conclusion;
import io.krypton.operator.kmshealth.verdict.Observation;
import io.krypton.operator.kmshealth.verdict.Published;
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
 * @param clusterOperator the name of its sum
 * @param config says whether KMS is in use
 * @param deployment runs its API server; null for the one that runs in static pods
 */
record PlatformKind<T extends PlatformOperator>(
    String word,
    Class<T> type,
    Supplier<T> maker,
    String clusterOperator,
    ObjectCache<ApiServerConfig> config,
    @Nullable ObjectCache<Deployment> deployment)
    implements TargetKind<T> {

  @Override
  public TargetState stateOf(T object) {
    var status = object.getStatus();
    return new TargetState(
        status.conditions(),
        status.healthReports(),
        new Published(status.conditions(), List.of(), null),
        new Observation.Wanted(
            isKnownInUse(status) ? true : null,
            Set.of(),
            null,
            KmsHealthSpec.DEFAULT.convergedFor().value(),
            Set.of()),
        expectedBy(status),
        KmsHealthSpec.DEFAULT.degradedInertia().value());
  }

  /** As long as it cannot be read, what was said before stands. */
  private boolean isKnownInUse(OperatorStatus status) {
    return config.hasSynced()
        ? config.get("", NAME).map(ApiServerConfig::asksForKms).orElse(false)
        : Conditions.find(status.conditions(), KmsHealthConditions.KMS_PLUGINS_DEGRADED)
            .isPresent();
  }

  private ExpectedBy expectedBy(OperatorStatus status) {
    if (deployment == null) {
      var nodes = status.nodeStatuses();
      return nodes.isEmpty()
          ? new ExpectedBy.Labels(Map.of(), false)
          : new ExpectedBy.Platform(
              names(nodes.stream()), names(nodes.stream().filter(NodeStatus::isInRollout)));
    }
    return deployment.failure().isPresent() ? new ExpectedBy.Nobody() : expectedBy(deployment);
  }

  private static ExpectedBy expectedBy(ObjectCache<Deployment> deployment) {
    return deployment.list().stream()
        .findFirst()
        .<ExpectedBy>map(
            runs ->
                new ExpectedBy.Labels(
                    Optional.ofNullable(runs.getSpec().getTemplate().getSpec().getNodeSelector())
                        .orElse(Map.of()),
                    true))
        .orElse(new ExpectedBy.Nobody());
  }

  private static Set<String> names(Stream<NodeStatus> nodes) {
    return nodes.map(NodeStatus::nodeName).collect(Collectors.toSet());
  }

  @Override
  public T statement(Conclusion conclusion, T live) {
    var fresh = blank();
    fresh.setStatus(OperatorStatus.of(conclusion.conditions()));
    return fresh;
  }

  @Override
  public T blank() {
    var blank = maker.get();
    blank.setSpec(null);
    blank.setStatus(null);
    return blank;
  }

  @Override
  public void createIfOurs(KubernetesClient client) {
    // The platform's own operator makes it.
  }
}
