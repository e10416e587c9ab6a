// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;

/** The versions of one chart in an {@code index.yaml}. */
record RepoIndex(List<Entry> entries) {
  static final int LARGEST = 64 << 20;

  /** {@code digest} is empty if the index has none. */
  record Entry(String version, String digest, List<String> urls) {}

  /** Streams past all other charts: big repositories have indexes of many megabytes. */
  static RepoIndex read(Path file, String chart) throws IOException {
    var options = new LoaderOptions();
    options.setCodePointLimit(LARGEST);
    var factory = YAMLFactory.builder().loaderOptions(options).build();
    try (var in = Files.newInputStream(file);
        var parser = factory.createParser(in)) {
      var entries = new ArrayList<Entry>();
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("index.yaml is not a map");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        if (enters(parser, "entries", JsonToken.START_OBJECT)) {
          while (parser.nextToken() == JsonToken.FIELD_NAME) {
            if (enters(parser, chart, JsonToken.START_ARRAY)) {
              while (parser.nextToken() == JsonToken.START_OBJECT) {
                entries.add(entry(parser));
              }
            }
          }
        }
      }
      return new RepoIndex(List.copyOf(entries));
    }
  }

  Optional<Entry> find(String version) {
    if (version.isEmpty()) {
      return ChartVersion.newestStable(entries.stream().map(Entry::version).toList())
          .flatMap(this::find);
    }
    return entries.stream()
        .filter(entry -> entry.version.equals(version))
        .findFirst()
        .or(
            () ->
                entries.stream()
                    .filter(entry -> ChartVersion.isSame(entry.version, version))
                    .findFirst());
  }

  /** Steps into the value of the current field if it has this name and kind, else over it. */
  private static boolean enters(JsonParser parser, String field, JsonToken kind)
      throws IOException {
    var found = field.equals(parser.currentName());
    if (parser.nextToken() == kind && found) {
      return true;
    }
    parser.skipChildren();
    return false;
  }

  private static Entry entry(JsonParser parser) throws IOException {
    var version = "";
    var digest = "";
    var urls = new ArrayList<String>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      var field = parser.currentName();
      var token = parser.nextToken();
      if (field.equals("version")) {
        version = parser.getText();
      } else if (field.equals("digest")) {
        digest = parser.getText();
      } else if (field.equals("urls") && token == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          urls.add(parser.getText());
        }
      } else {
        parser.skipChildren();
      }
    }
    return new Entry(version, digest.replaceFirst("^sha256:", ""), List.copyOf(urls));
  }
}
