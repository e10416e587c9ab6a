// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import io.krypton.base.text.NearestWord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A file with flag names as keys; a list stands for the comma list of the flag.
 *
 * @param source the flag and the file, for messages; empty for none
 */
public record SettingsFile(String source, Map<String, String> values) {
  private static final long MAX_BYTES = 1 << 20;

  public static final SettingsFile NONE = new SettingsFile("", Map.of());

  public SettingsFile {
    values = Map.copyOf(values);
  }

  /** How the file is written; YAML in our programs. */
  @FunctionalInterface
  public interface Format {
    /**
     * The document as maps, lists, scalars and null; null for an empty one.
     *
     * @throws FormatException if the text is not of this format, or has a key twice
     */
    @Nullable Object parse(String text) throws FormatException;
  }

  /** Without the text, which may hold secrets. */
  public static final class FormatException extends Exception {
    /**
     * Says what the file should be.
     *
     * @param format for example {@code YAML}
     * @param line of the mistake; 0 if it is not known
     */
    public FormatException(String format, int line) {
      super("is not valid " + format + (line > 0 ? " at line " + line : ""));
    }
  }

  /**
   * The file that the arguments or the environment name, before the arguments are parsed: it fills
   * in for flags.
   *
   * @param flag with dashes
   */
  public static Optional<String> named(
      String flag, String variable, List<String> arguments, Map<String, String> environment) {
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).startsWith(flag + "=")) {
        return Optional.of(arguments.get(i).substring(flag.length() + 1));
      }
      if (arguments.get(i).equals(flag) && i + 1 < arguments.size()) {
        return Optional.of(arguments.get(i + 1));
      }
    }
    return Optional.of(environment.getOrDefault(variable, "")).filter(file -> !file.isEmpty());
  }

  /** Reads a file that the user named; its keys are checked by {@link #unknownKeys}. */
  public static SettingsFile read(String flag, String file, Format format)
      throws SettingsException {
    var source = "%s \"%s\"".formatted(flag, file);
    try {
      var path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        throw unusable(source, "is larger than 1 MiB");
      }
      return of(source, format.parse(Files.readString(path)));
    } catch (FormatException malformed) {
      throw unusable(source, String.valueOf(malformed.getMessage()));
    } catch (IOException | InvalidPathException unreadable) {
      throw unusable(source, "cannot be read: " + unreadable.getClass().getSimpleName());
    }
  }

  private static SettingsException unusable(String source, String why) {
    return new SettingsException(List.of(source + " " + why));
  }

  private static SettingsFile of(String source, @Nullable Object document)
      throws SettingsException {
    if (document == null) {
      return new SettingsFile(source, Map.of());
    }
    if (!(document instanceof Map<?, ?> mapping)) {
      throw unusable(source, "must be a mapping of flag names to values");
    }
    var values = new LinkedHashMap<String, String>();
    var errors = new ArrayList<String>();
    mapping.forEach(
        (key, value) -> {
          if (value != null) {
            text(value)
                .ifPresentOrElse(
                    text -> values.put(String.valueOf(key), text),
                    () ->
                        errors.add(
                            "%s: \"%s\" must be a plain value or a list of them"
                                .formatted(source, key)));
          }
        });
    if (!errors.isEmpty()) {
      throw new SettingsException(errors);
    }
    return new SettingsFile(source, values);
  }

  /** Empty for what cannot stand on a command line. */
  private static Optional<String> text(Object value) {
    return switch (value) {
      case Map<?, ?> _ -> Optional.empty();
      case List<?> list ->
          list.stream().allMatch(SettingsFile::isScalar)
              ? Optional.of(list.stream().map(String::valueOf).collect(Collectors.joining(",")))
              : Optional.empty();
      default -> Optional.of(value.toString());
    };
  }

  private static boolean isScalar(@Nullable Object value) {
    return value != null && !(value instanceof Map) && !(value instanceof List);
  }

  /** An error for each key that is no setting, with the one that was probably meant. */
  public List<String> unknownKeys(Collection<Setting> known) {
    var names = known.stream().flatMap(setting -> setting.names().stream()).toList();
    return values.keySet().stream()
        .filter(key -> !names.contains(key))
        .sorted()
        .map(
            key ->
                "%s: \"%s\" is not a setting%s"
                    .formatted(source, key, NearestWord.question(key, names)))
        .toList();
  }
}
