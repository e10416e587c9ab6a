package io.krypton.cli.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A YAML file whose keys are flag names without dashes in front. */
public final class CliSettingsFile {
  private static final String FLAG = "--config";

  private CliSettingsFile() {}

  /**
   * The file that the arguments name, read before they are parsed, because it fills in for flags.
   */
  public static Map<String, String> namedBy(String[] arguments, Map<String, String> environment) {
    return path(arguments, environment).map(CliSettingsFile::read).orElse(Map.of());
  }

  private static Optional<Path> path(String[] arguments, Map<String, String> environment) {
    for (var i = 0; i < arguments.length; i++) {
      if (arguments[i].startsWith(FLAG + "=")) {
        return Optional.of(Path.of(arguments[i].substring(FLAG.length() + 1)));
      }
      if (arguments[i].equals(FLAG) && i + 1 < arguments.length) {
        return Optional.of(Path.of(arguments[i + 1]));
      }
    }
    return Optional.of(environment.getOrDefault("KRYPTON_CONFIG", ""))
        .filter(name -> !name.isEmpty())
        .map(Path::of);
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException with a text for users
   */
  static Map<String, String> read(Path file) {
    try {
      var tree = new YAMLMapper().readTree(Files.readString(file));
      var settings = new LinkedHashMap<String, String>();
      if (tree != null && !tree.isMissingNode()) {
        tree.properties().forEach(entry -> settings.put(entry.getKey(), text(file, entry)));
      }
      return settings;
    } catch (JsonProcessingException malformed) {
      throw new IllegalArgumentException(
          "%s %s is not YAML (line %d)".formatted(FLAG, file, malformed.getLocation().getLineNr()),
          malformed);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "%s %s cannot be read: %s".formatted(FLAG, file, unreadable.getMessage()), unreadable);
    }
  }

  private static String text(Path file, Map.Entry<String, JsonNode> entry) {
    if (!entry.getValue().isValueNode()) {
      throw new IllegalArgumentException(
          "%s %s: %s must be one value, as on the command line"
              .formatted(FLAG, file, entry.getKey()));
    }
    return entry.getValue().asText();
  }
}
