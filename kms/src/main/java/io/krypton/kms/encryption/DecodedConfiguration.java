package io.krypton.kms.encryption;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The file with defaults applied and not yet validated. Of keys only the length is left. */
record DecodedConfiguration(List<ResourceEntry> entries) {
  DecodedConfiguration {
    entries = List.copyOf(entries);
  }

  /** One element of {@code resources}. */
  record ResourceEntry(List<String> resources, List<Element> providers) {
    ResourceEntry {
      resources = List.copyOf(resources);
      providers = List.copyOf(providers);
    }
  }

  /** One element of {@code providers}: what it sets, the deciding one first. */
  record Element(List<Setting> settings) {
    Element {
      settings = List.copyOf(settings);
    }
  }

  /** What an element of {@code providers} may set. Valid elements set exactly one. */
  sealed interface Setting {}

  record Kms(
      String apiVersion,
      String name,
      @Nullable Integer cacheSize,
      String endpoint,
      Duration timeout)
      implements Setting {}

  /** A provider with keys in the file; its name is the field's. */
  record Keyed(String field, List<Integer> keyLengths, List<MeasuredKey> keys) implements Setting {
    Keyed {
      keyLengths = List.copyOf(keyLengths);
      keys = List.copyOf(keys);
    }
  }

  record Identity() implements Setting {}

  /** A key without its content; no length means that the secret is not base64. */
  record MeasuredKey(boolean named, boolean secretGiven, OptionalInt length) {}
}
