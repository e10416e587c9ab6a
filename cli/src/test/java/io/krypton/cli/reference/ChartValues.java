// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The values of the operator's chart with what their comments say. A value is what the schema gives
 * a name to; what lies deeper belongs to Kubernetes and is shown as a whole.
 */
record ChartValues(List<Section> sections) {
  private static final Pattern HEADING = Pattern.compile("## (.+)");
  private static final Pattern COMMENT = Pattern.compile(" *# ?(.*)");
  private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):.*");
  private static final int INDENT = 2;

  /** Values between two headings, in the order of the file. */
  record Section(String title, List<Value> values) {}

  /** A value, or a group of values; of a group the default is empty. */
  record Value(String path, String comment, String defaultValue) {
    boolean isGroup() {
      return defaultValue.isEmpty();
    }
  }

  static ChartValues of(Path chart) throws IOException {
    var schema = new JsonMapper().readTree(chart.resolve("values.schema.json").toFile());
    var file = chart.resolve("values.yaml");
    var reader = new Reader(schema, new YAMLMapper().readTree(file.toFile()));
    Files.readAllLines(file).forEach(reader::read);
    return new ChartValues(reader.sections);
  }

  List<Value> all() {
    return sections.stream().flatMap(section -> section.values().stream()).toList();
  }

  /** The paths of what the schema knows, without groups and without what Helm itself adds. */
  static List<String> named(Path chart) throws IOException {
    var names = new ArrayList<String>();
    collect(new JsonMapper().readTree(chart.resolve("values.schema.json").toFile()), "", names);
    names.remove("global");
    return names;
  }

  private static void collect(JsonNode schema, String prefix, List<String> names) {
    for (var property : schema.path("properties").properties()) {
      var path = prefix + property.getKey();
      if (property.getValue().has("properties")) {
        collect(property.getValue(), path + ".", names);
      } else {
        names.add(path);
      }
    }
  }

  private static final class Reader {
    private final JsonNode schema;
    private final JsonNode defaults;
    private final List<Section> sections = new ArrayList<>();
    private final List<String> path = new ArrayList<>();
    private final List<String> comment = new ArrayList<>();

    Reader(JsonNode schema, JsonNode defaults) {
      this.schema = schema;
      this.defaults = defaults;
    }

    void read(String line) {
      var heading = HEADING.matcher(line);
      var remark = COMMENT.matcher(line);
      var key = KEY.matcher(line);
      if (heading.matches()) {
        sections.add(new Section(heading.group(1), new ArrayList<>()));
        comment.clear();
      } else if (remark.matches()) {
        comment.add(remark.group(1));
      } else {
        if (key.matches()) {
          enter(key.group(1).length() / INDENT, key.group(2));
        }
        comment.clear();
      }
    }

    private void enter(int depth, String key) {
      if (depth > path.size()) {
        return;
      }
      path.subList(depth, path.size()).clear();
      path.add(key);
      var known = schema.at("/properties/" + String.join("/properties/", path));
      if (!known.isMissingNode()) {
        var value = defaults.at("/" + String.join("/", path));
        sections
            .getLast()
            .values()
            .add(
                new Value(
                    String.join(".", path),
                    String.join(" ", comment),
                    known.has("properties") ? "" : value.toString()));
      }
    }
  }
}
