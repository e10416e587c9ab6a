// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.event.EventReason;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.observe.EventMessages;
import org.jspecify.annotations.Nullable;

/** Records an event for each transition, none for a state that lasts. */
final class KmsHealthEvents {
  private final EventRecorder recorder;

  KmsHealthEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  void recordTransitions(HasMetadata regarding, PublishedStatus before, AggregationResult after) {
    var degraded = after.degraded();
    if (degraded != null && isDegraded(degraded) && !isDegraded(before.degraded())) {
      record(
          regarding,
          EventReason.KMS_PLUGINS_DEGRADED,
          degraded.reason() + ": " + degraded.message());
    }
    if (degraded != null && !isDegraded(degraded) && isDegraded(before.degraded())) {
      record(regarding, EventReason.KMS_PLUGINS_RECOVERED, "all plugins of all nodes work");
    }
    var converged = after.converged();
    var was = before.converged();
    if (converged != null && isTrue(converged) && !isTrue(was)) {
      record(regarding, EventReason.KMS_KEYS_CONVERGED, converged.message());
    }
    if (isDiverged(converged) && !isDiverged(was)) {
      record(
          regarding, EventReason.KMS_KEYS_DIVERGED, converged == null ? "" : converged.message());
    }
    var oldKeys = after.oldKeys();
    if (oldKeys != null && isTrue(oldKeys) && !isTrue(before.oldKeys())) {
      record(regarding, EventReason.KMS_OLD_KEY_UNREADABLE, oldKeys.message());
    }
    if (after.keyReused()) {
      record(
          regarding,
          EventReason.REMOTE_KEY_ID_REUSED,
          "a remote key id is in use again that was left before; plugins must not reuse ids");
    }
  }

  void recordWarning(HasMetadata regarding, NodeWarning nodeWarning) {
    var node = nodeWarning.node();
    record(
        regarding,
        nodeWarning.kind().reason(),
        switch (nodeWarning.kind()) {
          case CLOCK_SKEW ->
              "the clock of node %s is wrong by more than a minute; it is not trusted, correct it"
                  .formatted(node);
          case DUPLICATE_REPORTER ->
              "two reporters call themselves %s; give each its own --node-name".formatted(node);
          case UNEXPECTED_REPORTER ->
              "node %s is not expected, but reports; expect it or stop its reporter"
                  .formatted(node);
        });
  }

  void recordOrphanRemoved(HasMetadata regarding, String node) {
    record(
        regarding,
        EventReason.ORPHAN_REMOVED,
        "entries and Lease of node %s were left behind".formatted(node));
  }

  private void record(HasMetadata regarding, EventReason reason, String message) {
    recorder.record(EventMessages.of(regarding, reason, message));
  }

  private static boolean isDegraded(@Nullable Condition condition) {
    return condition != null && condition.status() != ConditionStatus.FALSE;
  }

  private static boolean isTrue(@Nullable Condition condition) {
    return condition != null && condition.status() == ConditionStatus.TRUE;
  }

  private static boolean isDiverged(@Nullable Condition condition) {
    return condition != null && condition.reason().equals(KmsHealthReasons.DIVERGED);
  }
}
