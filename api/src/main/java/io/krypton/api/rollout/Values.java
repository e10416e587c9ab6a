package io.krypton.api.rollout;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chart values as JSON gives them: nested maps, lists and scalars. */
public final class Values {
  private Values() {}

  /** {@link Map#copyOf} would refuse null, which in values removes a default of the chart. */
  public static Map<String, @Nullable Object> copyOf(
      @Nullable Map<String, @Nullable Object> values) {
    return values == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }
}
