package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.kmshealth.ExpectedNodes;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.operator.kmshealth.report.KeyId;
import io.krypton.operator.kmshealth.verdict.Conclusion;
import io.krypton.operator.kmshealth.verdict.Observation;
import io.krypton.operator.kmshealth.verdict.Published;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Our own object, for clusters of any make. */
final class KmsHealthKind implements TargetKind<KmsHealth> {
  @Override
  public String word() {
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
        new Published(status.conditions(), status.nodes(), status.convergence()),
        new Observation.Wanted(
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

  private static ExpectedBy expectedBy(KmsHealthSpec spec) {
    var nodes = Objects.requireNonNullElse(spec.expectedNodes(), ExpectedNodes.DEFAULT);
    if (!nodes.names().isEmpty()) {
      return new ExpectedBy.Names(Set.copyOf(nodes.names()));
    }
    return nodes.selector().isEmpty()
        ? new ExpectedBy.Labels(Map.of(), false)
        : new ExpectedBy.Labels(nodes.selector(), true);
  }

  @Override
  public KmsHealth statement(Conclusion conclusion, KmsHealth live) {
    var fresh = blank();
    var writeKey = conclusion.writeKey();
    fresh.setStatus(
        new KmsHealthStatus(
            conclusion.conditions(),
            null,
            conclusion.nodes(),
            conclusion.nodesHealthy(),
            writeKey == null ? null : writeKey.toString(),
            live.getMetadata().getGeneration(),
            conclusion.convergence()));
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
  public void createIfOurs(KubernetesClient client) {
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
