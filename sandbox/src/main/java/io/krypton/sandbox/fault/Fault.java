// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a {@link FaultProxy} does with connections. */
public sealed interface Fault {
  /** Nothing: every byte goes through untouched. */
  record Pass() implements Fault {}

  /** The port is closed: connections are refused. */
  record Refuse() implements Fault {}

  /** Connections are accepted and nothing ever comes back, as behind a broken router. */
  record BlackHole() implements Fault {}

  /** Every piece of an answer arrives late by this much. */
  record Delay(Duration by) implements Fault {
    public Delay {
      if (by.isNegative()) {
        throw new IllegalArgumentException("by: " + by + " is negative");
      }
    }
  }

  /**
   * A connection is closed after this many bytes from the server. On a new TLS connection the
   * handshake counts too; on a kept connection the count begins with the fault.
   */
  record CutAfter(long bytes) implements Fault {
    public CutAfter {
      if (bytes < 0) {
        throw new IllegalArgumentException("bytes: " + bytes + " is negative");
      }
    }
  }

  /**
   * The proxy itself answers every request with this status. Without limits it does so until the
   * next fault; after the last of them it passes.
   */
  record Answer(
      int status, Map<String, String> headers, Optional<Integer> times, Optional<Duration> period)
      implements Fault {
    public Answer {
      if (status < 400 || status > 599) {
        throw new IllegalArgumentException("status: " + status + " is no HTTP error");
      }
      headers = Map.copyOf(headers);
    }

    public Answer header(String name, String value) {
      var more = new LinkedHashMap<>(headers);
      more.put(name, value);
      return new Answer(status, more, times, period);
    }

    public Answer retryAfter(Duration wait) {
      return header("Retry-After", Long.toString(wait.toSeconds()));
    }

    /** Only for this many connections; each carries one request. */
    public Answer times(int count) {
      return new Answer(status, headers, Optional.of(count), period);
    }

    /** Only for connections within this time from now on. */
    public Answer during(Duration time) {
      return new Answer(status, headers, times, Optional.of(time));
    }
  }

  static Answer answer(int status) {
    return new Answer(status, Map.of(), Optional.empty(), Optional.empty());
  }
}
