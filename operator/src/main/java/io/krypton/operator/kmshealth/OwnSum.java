package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.multicluster.status.StatusResult;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.kmshealth.publish.FieldManagers;
import io.krypton.operator.kmshealth.publish.OwnedStatus;
import io.krypton.operator.kmshealth.union.Inertia;
import io.krypton.operator.kmshealth.union.Union;
import io.krypton.operator.kmshealth.union.UnionOutput;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code Degraded} of KmsHealth, in the same list as what it is made of. */
final class OwnSum implements Sum<KmsHealth> {
  private static final UnionOutput OUTPUT = UnionOutput.DEGRADED;

  private final KubernetesClient client;
  private final KmsHealthKind kind;
  private final StatusWriter<KmsHealth> writer;
  private final Runnable onWrite;

  OwnSum(KubernetesClient client, KmsHealthKind kind, Runnable onWrite) {
    this.client = client;
    this.kind = kind;
    this.writer = new StatusWriter<>(client, FieldManagers.STATUS_SYNCER);
    this.onWrite = onWrite;
  }

  @Override
  public Optional<Instant> sync(KmsHealth seen, TargetState state, boolean inUse, Instant now) {
    if (!inUse && inputs(seen).stream().noneMatch(it -> it.type().endsWith(OUTPUT.type()))) {
      if (OwnedStatus.has(seen, FieldManagers.STATUS_SYNCER)) {
        OwnedStatus.drop(client, seen, kind.blank(), FieldManagers.STATUS_SYNCER);
        onWrite.run();
      }
      return Optional.empty();
    }
    var result =
        writer.write(
            seen,
            live -> {
              var fresh = kind.blank();
              fresh.setStatus(
                  new KmsHealthStatus(
                      List.of(union(live, state, now).condition()),
                      null,
                      List.of(),
                      null,
                      null,
                      null,
                      null));
              return fresh;
            });
    if (result instanceof StatusResult.Written<KmsHealth>) {
      onWrite.run();
    }
    return union(seen, state, now).nextChange();
  }

  private static Union union(KmsHealth live, TargetState state, Instant now) {
    return Union.of(
        OUTPUT,
        inputs(live),
        Inertia.of(state.degradedInertia()),
        live.getStatus().conditions(),
        now);
  }

  /** The sum itself is in the list, too. */
  private static List<Condition> inputs(KmsHealth live) {
    return live.getStatus().conditions().stream()
        .filter(condition -> !condition.type().equals(OUTPUT.type()))
        .toList();
  }

  @Override
  public void sourceIsMissing() {
    // It went with its object.
  }
}
