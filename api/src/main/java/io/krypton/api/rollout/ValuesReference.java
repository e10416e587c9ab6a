// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One source of chart values, in the namespace and on the cluster of the object that names it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record ValuesReference(
    @JsonPropertyDescription("ConfigMap or Secret.")
        @Required
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Kind kind,
    @JsonPropertyDescription("Name of the ConfigMap or Secret in the namespace of this object.")
        @Required
        @Size(min = 1, max = 253)
        String name,
    @JsonPropertyDescription("The data key that holds a YAML map of values.") @Default(DEFAULT_KEY)
        String key,
    @JsonPropertyDescription("True: a missing object or key is skipped instead of being an error.")
        @Default("false")
        boolean optional) {
  public static final String DEFAULT_KEY = "values.yaml";

  public ValuesReference {
    name = requireNonNullElse(name, "");
    key = requireNonNullElse(key, DEFAULT_KEY);
  }

  /** What can hold values; null in a reference whose kind this version does not know. */
  public enum Kind {
    @JsonProperty("ConfigMap")
    CONFIG_MAP,
    @JsonProperty("Secret")
    SECRET
  }

  /** Chart values as JSON gives them: nested maps, lists and scalars. */
  public static final class ChartValues {
    private ChartValues() {}

    /** {@link Map#copyOf} would refuse null, which in values removes a default of the chart. */
    public static Map<String, @Nullable Object> copyOf(
        @Nullable Map<String, @Nullable Object> values) {
      return values == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
  }
}
