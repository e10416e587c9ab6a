// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import java.time.Duration;

/** The monotonic clock: time since some fixed moment. */
@FunctionalInterface
public interface Ticker {
  Duration now();

  static Ticker system() {
    var start = System.nanoTime();
    return () -> Duration.ofNanos(System.nanoTime() - start);
  }
}
