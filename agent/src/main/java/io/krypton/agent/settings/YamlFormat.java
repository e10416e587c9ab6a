// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.krypton.agent.json.JsonTree;
import io.krypton.base.settings.SettingsFile;
import io.krypton.base.settings.SettingsFile.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/** Settings files as YAML. A key that is there twice is an error; an empty value is none. */
public final class YamlFormat implements SettingsFile.Format {
  @Override
  public @Nullable Object parse(String text) throws FormatException {
    var format =
        YAMLFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
            .build();
    try (var parser = format.createParser(text)) {
      return plain(JsonTree.read(parser));
    } catch (JsonProcessingException malformed) {
      var location = malformed.getLocation();
      throw new FormatException("YAML", location == null ? 0 : location.getLineNr());
    } catch (IOException malformed) {
      throw new FormatException("YAML", 0);
    }
  }

  private static @Nullable Object plain(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        var map = new LinkedHashMap<String, @Nullable Object>();
        node.properties().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
        yield map;
      }
      case ARRAY -> {
        var list = new ArrayList<@Nullable Object>();
        node.forEach(item -> list.add(plain(item)));
        yield list;
      }
      case NULL, MISSING -> null;
      default -> node.asText();
    };
  }
}
