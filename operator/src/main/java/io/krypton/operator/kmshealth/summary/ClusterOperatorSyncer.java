// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.summary;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.kmshealth.openshift.ClusterOperator;
import io.krypton.operator.kmshealth.openshift.ClusterOperator.ClusterOperatorStatus;
import io.krypton.operator.kmshealth.openshift.ClusterOperator.ClusterOperatorStatus.OperandVersion;
import io.krypton.operator.kmshealth.openshift.ClusterOperator.ClusterOperatorStatus.RelatedObject;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Inertia;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Output;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import io.krypton.operator.observe.EventMessages;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Aggregates the conditions of one OpenShift operator into its ClusterOperator. */
public final class ClusterOperatorSyncer {
  private static final String OPERATOR = "operator";

  private final KubernetesClient client;
  private final String name;
  private final String resource;
  private final String version;
  private final SyncMode mode;
  private final Inertia inertia;
  private final ObjectCache<ClusterOperator> cache;
  private final StatusWriter<ClusterOperator> writer;
  private final EventRecorder events;
  private final Runnable onWrite;

  /**
   * For one ClusterOperator.
   *
   * @param resource the plural of the operator
   * @param version ours, to be shown while nobody else does this work
   */
  public ClusterOperatorSyncer(
      KubernetesClient client,
      String name,
      String resource,
      String version,
      SyncMode mode,
      Inertia inertia,
      ObjectCache<ClusterOperator> cache,
      EventRecorder events,
      Runnable onWrite) {
    this.client = client;
    this.name = name;
    this.resource = resource;
    this.version = version;
    this.mode = mode;
    this.inertia = inertia;
    this.cache = cache;
    this.writer = new StatusWriter<>(client, ReportNames.STATUS_SYNCER);
    this.events = events;
    this.onWrite = onWrite;
  }

  /** Returns when the result changes without an event. */
  public Optional<Instant> sync(OpenShiftOperator source, Instant now) {
    if (mode == SyncMode.NEVER || !cache.hasSynced()) {
      return Optional.empty();
    }
    var present = cache.get("", name);
    if (present.isPresent() && !mayWrite(present.get())) {
      return Optional.empty();
    }
    var target = present.orElseGet(this::create);
    var before = target.getStatus();
    var result = writer.write(target, live -> wanted(source, live, now));
    if (result instanceof StatusResult.Written<ClusterOperator>(var live)) {
      onWrite.run();
      recordEvents(live, before);
    }
    return unions(source, target.getStatus().conditions(), now).stream()
        .map(ConditionUnion::nextChange)
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The operator is gone: its ClusterOperator is deleted, if nobody else writes it. */
  public void onSourceDeleted() {
    var present = cache.get("", name);
    if (mode != SyncMode.NEVER && present.isPresent() && isOurs(present.get())) {
      events.record(
          EventMessages.of(
              present.get(),
              EventReason.STATUS_NOT_FOUND,
              "%s/cluster does not exist".formatted(resource)));
      client.resource(present.get()).delete();
    }
  }

  private boolean mayWrite(ClusterOperator present) {
    return mode == SyncMode.ALWAYS || isOurs(present);
  }

  private static boolean isOurs(ClusterOperator present) {
    return present.getMetadata().getManagedFields().stream()
        .filter(entry -> "status".equals(entry.getSubresource()))
        .allMatch(entry -> ReportNames.STATUS_SYNCER.equals(entry.getManager()));
  }

  private ClusterOperator create() {
    var fresh = new ClusterOperator();
    fresh.setMetadata(new ObjectMetaBuilder().withName(name).build());
    fresh.setStatus(null);
    return client.resource(fresh).create();
  }

  private ClusterOperator wanted(OpenShiftOperator source, ClusterOperator live, Instant now) {
    var fresh = new ClusterOperator();
    fresh.setSpec(null);
    fresh.setStatus(
        new ClusterOperatorStatus(
            conditions(source, live.getStatus().conditions(), now),
            List.of(new OperandVersion(OPERATOR, version)),
            List.of(
                new RelatedObject("operator.openshift.io", resource, "", OpenShiftOperator.NAME))));
    return fresh;
  }

  private List<Condition> conditions(
      OpenShiftOperator source, List<Condition> before, Instant now) {
    if (source.getSpec().isUnmanaged()) {
      return Output.ALL.stream()
          .map(output -> Condition.of(output.type(), ConditionStatus.UNKNOWN, "Unmanaged", ""))
          .map(condition -> ConditionList.withTransitionTime(condition, before, now))
          .toList();
    }
    return unions(source, before, now).stream().map(ConditionUnion::condition).toList();
  }

  private List<ConditionUnion> unions(
      OpenShiftOperator source, List<Condition> before, Instant now) {
    return Output.ALL.stream()
        .map(
            output ->
                ConditionUnion.of(output, source.getStatus().conditions(), inertia, before, now))
        .toList();
  }

  private void recordEvents(ClusterOperator live, ClusterOperatorStatus before) {
    var changed =
        live.getStatus().conditions().stream()
            .filter(
                condition ->
                    ConditionList.find(before.conditions(), condition.type())
                        .filter(old -> old.status() == condition.status())
                        .isEmpty())
            .map(condition -> condition.type() + " is " + condition.status())
            .toList();
    if (!changed.isEmpty()) {
      events.record(
          EventMessages.of(live, EventReason.OPERATOR_STATUS_CHANGED, String.join(", ", changed)));
    }
    if (!live.getStatus().versions().equals(before.versions())) {
      events.record(
          EventMessages.of(live, EventReason.OPERATOR_VERSION_CHANGED, OPERATOR + " " + version));
    }
  }

  /**
   * The ClusterOperator of an operator of the platform.
   *
   * @param isReallyMissing asks the server itself whether the operator is gone
   */
  public record ClusterOperatorSummary<T extends OpenShiftOperator>(
      ClusterOperatorSyncer clusterOperator, BooleanSupplier isReallyMissing)
      implements HealthSummary<T> {

    @Override
    public Optional<Instant> sync(T live, TargetState state, boolean inUse, Instant now) {
      return clusterOperator.sync(live, now);
    }

    @Override
    public void onSourceMissing() {
      if (isReallyMissing.getAsBoolean()) {
        clusterOperator.onSourceDeleted();
      }
    }
  }

  /** Who writes a ClusterOperator. */
  public enum SyncMode {
    /** We do, unless somebody else writes it, as on a real OpenShift. */
    AUTO,
    ALWAYS,
    NEVER
  }
}
