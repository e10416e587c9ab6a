// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.decode;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The file with defaults applied and not yet validated. Of keys only the length is left. */
public record DecodedConfiguration(List<ResourceEntry> entries) {
  public DecodedConfiguration {
    entries = List.copyOf(entries);
  }

  /** One element of {@code resources}. */
  public record ResourceEntry(List<String> resources, List<Element> providers) {
    public ResourceEntry {
      resources = List.copyOf(resources);
      providers = List.copyOf(providers);
    }
  }

  /** One element of {@code providers}: what it sets, the deciding one first. */
  public record Element(List<Setting> settings) {
    public Element {
      settings = List.copyOf(settings);
    }
  }

  /** What an element of {@code providers} may set. Valid elements set exactly one. */
  public sealed interface Setting {}

  public record Kms(
      String apiVersion,
      String name,
      @Nullable Integer cacheSize,
      String endpoint,
      Duration timeout)
      implements Setting {}

  /** A provider with keys in the file; its name is the field's. */
  public record Keyed(String field, List<Integer> keyLengths, List<MeasuredKey> keys)
      implements Setting {
    public Keyed {
      keyLengths = List.copyOf(keyLengths);
      keys = List.copyOf(keys);
    }
  }

  public record Identity() implements Setting {}

  /** A key without its content; no length means that the secret is not base64. */
  public record MeasuredKey(boolean named, boolean secretGiven, OptionalInt length) {}
}
