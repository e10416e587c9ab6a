// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.summary;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.kmshealth.cleanup.OwnedStatus;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Inertia;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Output;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import io.krypton.operator.kmshealth.targets.KmsHealthTarget;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@code Degraded} of KmsHealth, in the same list as what it is made of. */
public final class KmsHealthSummary implements HealthSummary<KmsHealth> {
  private static final Output OUTPUT = Output.DEGRADED;

  private final KubernetesClient client;
  private final KmsHealthTarget kind;
  private final StatusWriter<KmsHealth> writer;
  private final Runnable onWrite;

  public KmsHealthSummary(KubernetesClient client, KmsHealthTarget kind, Runnable onWrite) {
    this.client = client;
    this.kind = kind;
    this.writer = new StatusWriter<>(client, ReportNames.STATUS_SYNCER);
    this.onWrite = onWrite;
  }

  @Override
  public Optional<Instant> sync(KmsHealth cached, TargetState state, boolean inUse, Instant now) {
    if (!inUse && inputs(cached).stream().noneMatch(it -> it.type().endsWith(OUTPUT.type()))) {
      if (OwnedStatus.has(cached, ReportNames.STATUS_SYNCER)) {
        OwnedStatus.drop(client, cached, kind.blank(), ReportNames.STATUS_SYNCER);
        onWrite.run();
      }
      return Optional.empty();
    }
    var result =
        writer.write(
            cached,
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
    return union(cached, state, now).nextChange();
  }

  private static ConditionUnion union(KmsHealth live, TargetState state, Instant now) {
    return ConditionUnion.of(
        OUTPUT,
        inputs(live),
        Inertia.of(state.degradedInertia()),
        live.getStatus().conditions(),
        now);
  }

  /** The list also holds the result itself. */
  private static List<Condition> inputs(KmsHealth live) {
    return live.getStatus().conditions().stream()
        .filter(condition -> !condition.type().equals(OUTPUT.type()))
        .toList();
  }

  @Override
  public void onSourceMissing() {
    // It went with its object.
  }
}
