// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.operator.classes.decide.ObservedTarget;
import io.krypton.operator.classes.decide.ObservedTarget.Health;
import io.krypton.operator.classes.decide.ObservedTarget.OnCluster;
import io.krypton.operator.classes.decide.ObservedTarget.Placement;
import io.krypton.operator.classes.decide.ObservedTarget.Readiness;
import io.krypton.operator.classes.decide.ObservedTarget.Wishes;
import io.krypton.operator.classes.decide.TargetKey;
import io.krypton.operator.classes.revision.Revisions;
import io.krypton.operator.classes.target.RolloutTarget;
import io.krypton.operator.release.target.ObservedOwner;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts what caches show of a target into the terms of a decision.
 *
 * @param revisions of the class, one of which a release may carry
 * @param rollout the one that is decided about; null for none
 */
record TargetObserver(Revisions revisions, @Nullable String rollout) {
  /** What a release carries of which nothing is known; no revision has this hash. */
  private static final String UNKNOWN = "";

  List<ObservedTarget> all(List<RolloutTarget> targets) {
    return targets.stream().map(this::observe).toList();
  }

  ObservedTarget observe(RolloutTarget target) {
    var observed = target.observed();
    var choice = observed.choice();
    var promoted = rollout != null && rollout.equals(choice.promotedTo());
    return new ObservedTarget(
        key(target),
        observed.labels(),
        new Wishes(observed.deleting(), observed.suspended(), choice.pin(), promoted),
        new OnCluster(target.clusterLabels(), target.reachable(), target.kmsDegraded()),
        placement(observed),
        readiness(observed.health()));
  }

  private static TargetKey key(RolloutTarget target) {
    var key = target.key();
    return new TargetKey(
        new ClusterName(key.cluster()), key.kind(), key.namespace(), key.name());
  }

  private @Nullable Placement placement(ObservedOwner observed) {
    var installed = observed.installed();
    if (installed != null) {
      return new Placement(
          hashOf(installed.classRevision()),
          installed.arrivedAt(),
          installed.updatedAt(),
          observed.isCurrent());
    }
    // On a cluster that nobody follows there may well be what the status tells of.
    return !observed.place().followed() && observed.health().revision() > 0
        ? new Placement(UNKNOWN, Instant.EPOCH, Instant.EPOCH, false)
        : null;
  }

  private String hashOf(@Nullable String label) {
    var revision = revisions.byLabel(label);
    return revision == null ? Objects.requireNonNullElse(label, UNKNOWN) : revision.hash();
  }

  private static Readiness readiness(ObservedOwner.Health health) {
    return switch (health.readiness()) {
      case READY -> Readiness.READY;
      case PROGRESSING, FAILING ->
          new Readiness(Health.NOT_READY, health.notReadySince(), health.reason());
      case STALLED -> new Readiness(Health.STALLED, health.notReadySince(), health.reason());
    };
  }
}
