// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Two trees have the same text only if they are the same tree. */
class CanonicalLeavesPropertyTest {
  private static final List<String> KEYS =
      List.of("", "a", "a.b", "b", "[0]", "a[0]", "x=1", "x", "|", "\\", "\\.", "é", "null", "{}");
  private static final List<String> TEXTS =
      List.of("", "1", "1.0", "true", "null", "{}", "[]", "a", "a|b=c", "\"", "\\", "\n", "x=1");

  @Test
  void different_values_never_have_the_same_leaves() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var seen = new HashMap<Collection<String>, ChartValues>();
    for (int i = 0; i < 20_000; i++) {
      var chartValues = ChartValues.of(map(random, 3));
      var other = seen.putIfAbsent(chartValues.canonicalLeaves(), chartValues);
      if (other != null && !chartValues.equals(other)) {
        fail("seed %d: %s and %s", seed, chartValues.json(), other.json());
      }
    }
    assertThat(seen).hasSizeGreaterThan(1000);
  }

  private static Map<String, @Nullable Object> map(Random random, int depth) {
    var map = new LinkedHashMap<String, @Nullable Object>();
    for (int i = random.nextInt(3); i > 0; i--) {
      map.put(KEYS.get(random.nextInt(KEYS.size())), value(random, depth - 1));
    }
    return map;
  }

  private static @Nullable Object value(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 6 : 4)) {
      case 0 -> null;
      case 1 -> random.nextBoolean();
      case 2 -> random.nextInt(2);
      case 3 -> TEXTS.get(random.nextInt(TEXTS.size()));
      case 4 -> map(random, depth);
      default -> {
        var list = new ArrayList<@Nullable Object>();
        for (int i = random.nextInt(3); i > 0; i--) {
          list.add(value(random, depth - 1));
        }
        yield list;
      }
    };
  }
}
