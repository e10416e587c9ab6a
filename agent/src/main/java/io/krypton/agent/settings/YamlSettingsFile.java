package io.krypton.agent.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.krypton.agent.json.JsonTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A YAML file with flag names as keys; a list stands for the comma list of the flag.
 *
 * @param errors complete sentences; not empty means that the values are not to be used
 */
public record YamlSettingsFile(Map<String, String> values, List<String> errors) {
  private static final long MAX_BYTES = 1 << 20;
  private static final YAMLFactory FORMAT =
      YAMLFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
          .build();

  public YamlSettingsFile {
    values = Map.copyOf(values);
    errors = List.copyOf(errors);
  }

  public static YamlSettingsFile empty() {
    return new YamlSettingsFile(Map.of(), List.of());
  }

  /**
   * Reads a file that the user named.
   *
   * @param known the flag names that may appear as keys
   */
  public static YamlSettingsFile read(String file, Set<String> known) {
    try {
      var path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        return failed(file, "is larger than 1 MiB");
      }
      return parse(file, Files.readString(path), known);
    } catch (IOException | InvalidPathException e) {
      return failed(file, "cannot be read: " + e.getClass().getSimpleName());
    }
  }

  static YamlSettingsFile parse(String file, String yaml, Set<String> known) {
    JsonNode root;
    try (var parser = FORMAT.createParser(yaml)) {
      root = JsonTree.read(parser);
    } catch (JsonProcessingException e) {
      var location = e.getLocation();
      return failed(
          file, "is not valid YAML" + (location == null ? "" : " at line " + location.getLineNr()));
    } catch (IOException e) {
      return failed(file, "is not valid YAML");
    }
    if (root.isMissingNode() || root.isNull()) {
      return empty();
    }
    if (!root.isObject()) {
      return failed(file, "must be a mapping of flag names to values");
    }
    return collect(file, root, known);
  }

  private static YamlSettingsFile collect(String file, JsonNode root, Set<String> known) {
    var values = new LinkedHashMap<String, String>();
    var errors = new ArrayList<String>();
    for (var entry : root.properties()) {
      var key = entry.getKey();
      if (!known.contains(key)) {
        errors.add("--config \"%s\": \"%s\" is not a setting".formatted(file, key));
      } else if (!isScalarOrListOfThem(entry.getValue())) {
        errors.add(
            "--config \"%s\": \"%s\" must be a plain value or a list of them".formatted(file, key));
      } else if (!entry.getValue().isNull()) {
        values.put(key, text(entry.getValue()));
      }
    }
    return new YamlSettingsFile(values, errors);
  }

  private static boolean isScalarOrListOfThem(JsonNode value) {
    return value.isValueNode()
        || (value.isArray() && value.valueStream().allMatch(JsonNode::isValueNode));
  }

  private static String text(JsonNode value) {
    return value.isArray()
        ? value.valueStream().map(JsonNode::asText).collect(Collectors.joining(","))
        : value.asText();
  }

  private static YamlSettingsFile failed(String file, String why) {
    return new YamlSettingsFile(Map.of(), List.of("--config \"%s\" %s".formatted(file, why)));
  }
}
