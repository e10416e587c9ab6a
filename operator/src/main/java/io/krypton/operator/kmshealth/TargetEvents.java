package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthReasons;
import io.krypton.multicluster.event.Announcement;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.operator.kmshealth.verdict.Conclusion;
import io.krypton.operator.kmshealth.verdict.Notice;
import io.krypton.operator.kmshealth.verdict.Published;
import org.jspecify.annotations.Nullable;

/** Announces transitions, not states. */
final class TargetEvents {
  private final EventRecorder recorder;

  TargetEvents(EventRecorder recorder) {
    this.recorder = recorder;
  }

  void changed(HasMetadata about, Published before, Conclusion after) {
    var degraded = after.degraded();
    if (degraded != null && isTrouble(degraded) && !isTrouble(before.degraded())) {
      warn(about, "KMSPluginsDegraded", degraded.reason() + ": " + degraded.message());
    }
    if (degraded != null && !isTrouble(degraded) && isTrouble(before.degraded())) {
      tell(about, "KMSPluginsRecovered", "all plugins of all nodes work");
    }
    var converged = after.converged();
    var was = before.converged();
    if (converged != null && isTrue(converged) && !isTrue(was)) {
      tell(about, "KMSKeysConverged", converged.message());
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

  void notice(HasMetadata about, Notice notice) {
    var node = notice.node();
    warn(
        about,
        notice.kind().reason(),
        switch (notice.kind()) {
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

  void orphanRemoved(HasMetadata about, String node) {
    tell(about, "OrphanRemoved", "entries and Lease of node %s were left behind".formatted(node));
  }

  private void warn(HasMetadata about, String reason, String message) {
    recorder.record(Announcement.warning(about, reason, message));
  }

  private void tell(HasMetadata about, String reason, String message) {
    recorder.record(Announcement.normal(about, reason, message));
  }

  private static boolean isTrouble(@Nullable Condition condition) {
    return condition != null && condition.status() != ConditionStatus.FALSE;
  }

  private static boolean isTrue(@Nullable Condition condition) {
    return condition != null && condition.status() == ConditionStatus.TRUE;
  }

  private static boolean isDiverged(@Nullable Condition condition) {
    return condition != null && condition.reason().equals(KmsHealthReasons.DIVERGED);
  }
}
