// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Runs a property with many seeds; a failure names the seed, and -Dseed=N repeats it alone. */
final class Seeded {
  interface Property {
    void holdsFor(Random random) throws Exception;
  }

  private Seeded() {}

  static void runs(int count, Property property) throws Exception {
    var given = Long.getLong("seed");
    var first = given != null ? given : ThreadLocalRandom.current().nextLong(1L << 40);
    for (var seed = first; seed < first + (given != null ? 1 : count); seed++) {
      try {
        property.holdsFor(new Random(seed));
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("repeat with -Dseed=" + seed + ": " + failure, failure);
      }
    }
  }
}
