// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Reads an API server's audit log piece by piece. */
public final class ApiAudit {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration POLL = Duration.ofMillis(10);
  private static final String MARKER = "krypton-marker-";
  private static final Set<String> STREAMS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private final Path log;
  private final KubeApi api;
  private final LogTail tail;
  private final List<Entry> entries = new ArrayList<>();
  private final Map<String, Long> markers = new HashMap<>();

  public ApiAudit(Path log, KubeApi api) {
    this.log = log;
    this.api = api;
    this.tail = new LogTail(log, 0);
  }

  /** A place in the log. */
  public record Mark(long offset) {}

  /** A request, and the place before it. */
  private record Entry(long offset, AuditRecord request) {}

  /** Whether the API server writes one. */
  public boolean exists() {
    return Files.exists(log);
  }

  /** The place after all requests that are answered by now. */
  public Mark mark() {
    return new Mark(offsetOfMarker());
  }

  /** All requests that are answered by now and were not at the time of the mark. */
  public AuditTrail since(Mark mark) {
    return between(mark.offset(), offsetOfMarker());
  }

  /** Makes a request of its own, because whatever came before it is in the log before it. */
  private long offsetOfMarker() {
    var marker = MARKER + UUID.randomUUID();
    api.send(api.request("/version").header("Audit-ID", marker)).orThrow();
    var deadline = System.nanoTime() + TIMEOUT.toNanos();
    while (true) {
      var found = read(marker);
      if (found.isPresent()) {
        return found.get();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("a request does not show up in " + log);
      }
      pause();
    }
  }

  /**
   * Takes in what is new. Each line is parsed once, however often tests ask while they wait.
   *
   * @return the place behind the marker, if it is in the log by now
   */
  private synchronized Optional<Long> read(String marker) {
    try {
      var offset = tail.offset();
      for (var line : tail.newLines()) {
        var next = offset + line.getBytes(StandardCharsets.UTF_8).length + 1;
        var event = JSON.readTree(line);
        var id = event.path("auditID").asText();
        if (id.startsWith(MARKER)) {
          markers.put(id, next);
        } else if (countsAsRequest(event)) {
          entries.add(new Entry(offset, AuditRecord.of(event)));
        }
        offset = next;
      }
      return Optional.ofNullable(markers.remove(marker));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + log, e);
    }
  }

  private synchronized AuditTrail between(long from, long to) {
    var first = entries.size();
    while (first > 0 && entries.get(first - 1).offset() >= from) {
      first--;
    }
    return new AuditTrail(
        entries.subList(first, entries.size()).stream()
            .filter(entry -> entry.offset() < to)
            .map(Entry::request)
            .toList());
  }

  /**
   * Whether this is the one event that stands for its request. A stream has an event at its begin
   * and one at its end, which may never come; a request without valid credentials has only the
   * first.
   */
  private static boolean countsAsRequest(JsonNode event) {
    if (event.path("stage").asText().equals("ResponseStarted")) {
      return true;
    }
    return !event.path("verb").asText().equals("watch")
        && !STREAMS.contains(event.at("/objectRef/subresource").asText());
  }

  private static void pause() {
    try {
      Thread.sleep(POLL);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while reading the audit log", e);
    }
  }

  /** Whole lines of a file that somebody else is still appending to. */
  static final class LogTail {
    private final Path file;
    private long offset;

    LogTail(Path file, long offset) {
      this.file = file;
      this.offset = offset;
    }

    /** The place after the last line that was read. */
    long offset() {
      return offset;
    }

    /** The lines that are complete by now and were not read yet. */
    List<String> newLines() throws IOException {
      try (var in = new RandomAccessFile(file.toFile(), "r")) {
        var bytes = new byte[Math.toIntExact(in.length() - offset)];
        in.seek(offset);
        in.readFully(bytes);
        var end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
          end--;
        }
        offset += end;
        return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
      }
    }
  }
}
