package io.krypton.agent.reporter;

import io.krypton.agent.publish.ApiResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the node's own pages tell about publishing; written by the publisher, read by anybody. */
final class PublishJournal {
  /** A kind of write and how it ended. */
  record WriteOutcome(WriteKind kind, String result) implements Comparable<WriteOutcome> {
    @Override
    public int compareTo(WriteOutcome other) {
      int byKind = kind.compareTo(other.kind);
      return byKind != 0 ? byKind : result.compareTo(other.result);
    }
  }

  private final Map<WriteOutcome, Long> counts = new TreeMap<>();
  private boolean connected;
  private @Nullable String lastError;
  private @Nullable Duration publishedAt;
  private long publishedTransitions;
  private Heartbeat heartbeat;

  PublishJournal(Heartbeat heartbeat) {
    this.heartbeat = heartbeat;
  }

  synchronized void wrote(WriteKind kind, ApiResult result) {
    counts.merge(new WriteOutcome(kind, result.word()), 1L, Long::sum);
    connected =
        !(result instanceof ApiResult.Unreachable) && !(result instanceof ApiResult.NoAccess);
    lastError =
        result instanceof ApiResult.Done
            ? null
            : "%s: %s: %s".formatted(kind.word(), result.word(), result.explanation());
  }

  synchronized void published(Duration now, long transitions) {
    publishedAt = now;
    publishedTransitions = transitions;
  }

  synchronized void beatsBy(Heartbeat inUse) {
    heartbeat = inUse;
  }

  synchronized Map<WriteOutcome, Long> counts() {
    return new TreeMap<>(counts);
  }

  synchronized boolean connected() {
    return connected;
  }

  /** Why the last write failed; empty after a success. */
  synchronized Optional<String> lastError() {
    return Optional.ofNullable(lastError);
  }

  /** When the last report was taken, counted from the start of the process. */
  synchronized Optional<Duration> publishedAt() {
    return Optional.ofNullable(publishedAt);
  }

  synchronized long publishedTransitions() {
    return publishedTransitions;
  }

  synchronized Heartbeat heartbeat() {
    return heartbeat;
  }
}
