// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.targets;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.api.kmshealth.KmsHealthSpec.ExpectedNodes;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.Observation;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.kmshealth.input.ExpectedNodesResolver.NodeSelection;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Our own object, for clusters of any make. */
public final class KmsHealthTarget implements HealthTarget<KmsHealth> {
  @Override
  public String targetName() {
    return "kmshealth";
  }

  @Override
  public Class<KmsHealth> type() {
    return KmsHealth.class;
  }

  @Override
  public TargetState stateOf(KmsHealth object) {
    var spec = object.getSpec();
    var status = object.getStatus();
    return new TargetState(
        status.conditions(),
        status.healthReports(),
        new PublishedStatus(status.conditions(), status.nodes(), status.convergence()),
        new Observation.TargetSpec(
            spec.enabled(),
            spec.keyIDs().stream()
                .map(KeyId::parse)
                .flatMap(Optional::stream)
                .collect(Collectors.toSet()),
            Optional.ofNullable(spec.writeKeyID()).flatMap(KeyId::parse).orElse(null),
            convergedFor(spec),
            Set.copyOf(spec.retiredKeyHashes())),
        expectedBy(spec),
        spec.degradedInertia().value());
  }

  /** An older definition lets shorter ones pass. */
  static Duration convergedFor(KmsHealthSpec spec) {
    var wanted = spec.convergedFor().value();
    var shortest = KmsHealthSpec.SHORTEST_CONVERGED_FOR.value();
    return wanted.compareTo(shortest) < 0 ? shortest : wanted;
  }

  private static NodeSelection expectedBy(KmsHealthSpec spec) {
    var nodes = Objects.requireNonNullElse(spec.expectedNodes(), ExpectedNodes.DEFAULT);
    if (!nodes.names().isEmpty()) {
      return new NodeSelection.Names(Set.copyOf(nodes.names()));
    }
    return nodes.selector().isEmpty()
        ? new NodeSelection.Labels(Map.of(), false)
        : new NodeSelection.Labels(nodes.selector(), true);
  }

  @Override
  public KmsHealth applyConfiguration(AggregationResult aggregationResult, KmsHealth live) {
    var fresh = blank();
    var writeKey = aggregationResult.writeKey();
    fresh.setStatus(
        new KmsHealthStatus(
            aggregationResult.conditions(),
            null,
            aggregationResult.nodes(),
            aggregationResult.nodesHealthy(),
            writeKey == null ? null : writeKey.toString(),
            live.getMetadata().getGeneration(),
            aggregationResult.convergence()));
    return fresh;
  }

  @Override
  public KmsHealth blank() {
    var blank = new KmsHealth();
    blank.setSpec(null);
    blank.setStatus(null);
    return blank;
  }

  @Override
  public void createIfOwned(KubernetesClient client) {
    // Without a spec: what we wrote there would be ours, and others could not apply it.
    var fresh = blank();
    fresh.setMetadata(new ObjectMetaBuilder().withName(NAME).build());
    try {
      client.resource(fresh).create();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw refused;
      }
    }
  }
}
