// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import java.time.Duration;

/** A monotonic clock that a test moves. */
final class ManualTime implements Ticker {
  private volatile Duration now = Duration.ZERO;

  @Override
  public Duration now() {
    return now;
  }

  void set(Duration moment) {
    now = moment;
  }
}
