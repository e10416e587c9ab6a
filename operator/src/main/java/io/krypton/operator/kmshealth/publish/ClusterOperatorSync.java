package io.krypton.operator.kmshealth.publish;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.condition.Conditions;
import io.krypton.multicluster.event.Announcement;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusResult;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.kmshealth.openshift.ClusterOperator;
import io.krypton.operator.kmshealth.openshift.ClusterOperatorStatus;
import io.krypton.operator.kmshealth.openshift.ClusterOperatorStatus.OperandVersion;
import io.krypton.operator.kmshealth.openshift.ClusterOperatorStatus.RelatedObject;
import io.krypton.operator.kmshealth.openshift.PlatformOperator;
import io.krypton.operator.kmshealth.union.Inertia;
import io.krypton.operator.kmshealth.union.Union;
import io.krypton.operator.kmshealth.union.UnionOutput;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Sums the conditions of one operator of the platform up into its ClusterOperator. */
public final class ClusterOperatorSync {
  private static final String OPERATOR = "operator";

  private final KubernetesClient client;
  private final String name;
  private final String resource;
  private final String version;
  private final StatusSyncer mode;
  private final Inertia inertia;
  private final ObjectCache<ClusterOperator> cache;
  private final StatusWriter<ClusterOperator> writer;
  private final EventRecorder events;
  private final Runnable onWrite;

  /**
   * For one ClusterOperator.
   *
   * @param resource the plural of the operator that is summed up
   * @param version ours, to be shown while nobody else does this work
   */
  public ClusterOperatorSync(
      KubernetesClient client,
      String name,
      String resource,
      String version,
      StatusSyncer mode,
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
    this.writer = new StatusWriter<>(client, FieldManagers.STATUS_SYNCER);
    this.events = events;
    this.onWrite = onWrite;
  }

  /** Answers when the sum changes by the passing of time alone. */
  public Optional<Instant> sync(PlatformOperator source, Instant now) {
    if (mode == StatusSyncer.NEVER || !cache.hasSynced()) {
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
      announce(live, before);
    }
    return unions(source, target.getStatus().conditions(), now).stream()
        .map(Union::nextChange)
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** The operator is gone: its sum means nothing any more, but only ours is ours to remove. */
  public void sourceIsGone() {
    var present = cache.get("", name);
    if (mode != StatusSyncer.NEVER && present.isPresent() && isOurs(present.get())) {
      events.record(
          Announcement.warning(
              present.get(), "StatusNotFound", "%s/cluster does not exist".formatted(resource)));
      client.resource(present.get()).delete();
    }
  }

  private boolean mayWrite(ClusterOperator present) {
    return mode == StatusSyncer.ALWAYS || isOurs(present);
  }

  private static boolean isOurs(ClusterOperator present) {
    return present.getMetadata().getManagedFields().stream()
        .filter(entry -> "status".equals(entry.getSubresource()))
        .allMatch(entry -> FieldManagers.STATUS_SYNCER.equals(entry.getManager()));
  }

  private ClusterOperator create() {
    var fresh = new ClusterOperator();
    fresh.setMetadata(new ObjectMetaBuilder().withName(name).build());
    fresh.setStatus(null);
    return client.resource(fresh).create();
  }

  private ClusterOperator wanted(PlatformOperator source, ClusterOperator live, Instant now) {
    var fresh = new ClusterOperator();
    fresh.setSpec(null);
    fresh.setStatus(
        new ClusterOperatorStatus(
            conditions(source, live.getStatus().conditions(), now),
            List.of(new OperandVersion(OPERATOR, version)),
            List.of(
                new RelatedObject("operator.openshift.io", resource, "", PlatformOperator.NAME))));
    return fresh;
  }

  private List<Condition> conditions(PlatformOperator source, List<Condition> before, Instant now) {
    if (source.getSpec().isUnmanaged()) {
      return UnionOutput.ALL.stream()
          .map(output -> Condition.of(output.type(), ConditionStatus.UNKNOWN, "Unmanaged", ""))
          .map(condition -> Conditions.stamped(condition, before, now))
          .toList();
    }
    return unions(source, before, now).stream().map(Union::condition).toList();
  }

  private List<Union> unions(PlatformOperator source, List<Condition> before, Instant now) {
    return UnionOutput.ALL.stream()
        .map(output -> Union.of(output, source.getStatus().conditions(), inertia, before, now))
        .toList();
  }

  private void announce(ClusterOperator live, ClusterOperatorStatus before) {
    var changed =
        live.getStatus().conditions().stream()
            .filter(
                condition ->
                    Conditions.find(before.conditions(), condition.type())
                        .filter(old -> old.status() == condition.status())
                        .isEmpty())
            .map(condition -> condition.type() + " is " + condition.status())
            .toList();
    if (!changed.isEmpty()) {
      events.record(Announcement.normal(live, "OperatorStatusChanged", String.join(", ", changed)));
    }
    if (!live.getStatus().versions().equals(before.versions())) {
      events.record(Announcement.normal(live, "OperatorVersionChanged", OPERATOR + " " + version));
    }
  }
}
