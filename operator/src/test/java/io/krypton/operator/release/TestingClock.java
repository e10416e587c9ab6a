// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that goes on when it is told to. */
final class TestingClock extends Clock {
  private Instant now = Instant.parse("2026-01-01T12:00:00Z");

  void advance(Duration by) {
    now = now.plus(by);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("time zones do not matter here");
  }
}
