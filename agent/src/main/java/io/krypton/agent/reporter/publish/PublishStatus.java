// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of publishing for the local pages; written by the publisher, read by any thread. */
public final class PublishStatus {
  /** A kind of write and how it ended. */
  public record WriteOutcome(WriteKind kind, String result) implements Comparable<WriteOutcome> {
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

  public PublishStatus(Heartbeat heartbeat) {
    this.heartbeat = heartbeat;
  }

  public synchronized void recordWrite(WriteKind kind, ApiResult result) {
    counts.merge(new WriteOutcome(kind, result.value()), 1L, Long::sum);
    connected =
        !(result instanceof ApiResult.Unreachable) && !(result instanceof ApiResult.NoAccess);
    lastError =
        result instanceof ApiResult.Done
            ? null
            : "%s: %s: %s".formatted(kind.value(), result.value(), result.explanation());
  }

  public synchronized void recordPublished(Duration now, long transitions) {
    publishedAt = now;
    publishedTransitions = transitions;
  }

  synchronized void useHeartbeat(Heartbeat inUse) {
    heartbeat = inUse;
  }

  public synchronized Map<WriteOutcome, Long> counts() {
    return new TreeMap<>(counts);
  }

  public synchronized boolean connected() {
    return connected;
  }

  /** Why the last write failed; empty after a success. */
  public synchronized Optional<String> lastError() {
    return Optional.ofNullable(lastError);
  }

  /** When the last report was taken, counted from the start of the process. */
  public synchronized Optional<Duration> publishedAt() {
    return Optional.ofNullable(publishedAt);
  }

  public synchronized long publishedTransitions() {
    return publishedTransitions;
  }

  public synchronized Heartbeat heartbeat() {
    return heartbeat;
  }

  /** What the reporter writes to the API server. */
  public enum WriteKind {
    REPORT("report"),
    LEASE("lease");

    private final String value;

    WriteKind(String value) {
      this.value = value;
    }

    public String value() {
      return value;
    }
  }
}
