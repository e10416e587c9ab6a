package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import org.jspecify.annotations.Nullable;

/** Announces transitions, not states. */
final class KmsHealthEvents {
  private final EventRecorder recorder;

  KmsHealthEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  void recordTransitions(HasMetadata about, PublishedStatus before, AggregationResult after) {
    var degraded = after.degraded();
    if (degraded != null && isDegraded(degraded) && !isDegraded(before.degraded())) {
      warn(about, "KMSPluginsDegraded", degraded.reason() + ": " + degraded.message());
    }
    if (degraded != null && !isDegraded(degraded) && isDegraded(before.degraded())) {
      normal(about, "KMSPluginsRecovered", "all plugins of all nodes work");
    }
    var converged = after.converged();
    var was = before.converged();
    if (converged != null && isTrue(converged) && !isTrue(was)) {
      normal(about, "KMSKeysConverged", converged.message());
    }
    if (isDiverged(converged) && !isDiverged(was)) {
      warn(about, "KMSKeysDiverged", converged == null ? "" : converged.message());
    }
    var oldKeys = after.oldKeys();
    if (oldKeys != null && isTrue(oldKeys) && !isTrue(before.oldKeys())) {
      warn(about, "KMSOldKeyUnreadable", oldKeys.message());
    }
    if (after.keyReused()) {
      warn(
          about,
          "RemoteKeyIDReused",
          "a remote key id is in use again that was left before; plugins must not reuse ids");
    }
  }

  void recordWarning(HasMetadata about, NodeWarning nodeWarning) {
    var node = nodeWarning.node();
    warn(
        about,
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

  void recordOrphanRemoved(HasMetadata about, String node) {
    normal(about, "OrphanRemoved", "entries and Lease of node %s were left behind".formatted(node));
  }

  private void warn(HasMetadata about, String reason, String message) {
    recorder.record(EventMessage.warning(about, reason, message));
  }

  private void normal(HasMetadata about, String reason, String message) {
    recorder.record(EventMessage.normal(about, reason, message));
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
