// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.krypton.agent.gate.config.GateSettingsFile.HttpHealthz;
import io.krypton.agent.gate.config.GateSettingsFile.ProviderSettings;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Reads a file of kind GateSettings strictly and reports all errors. */
final class GateSettingsFileReader {
  private static final long MAX_BYTES = 1 << 20;
  private static final String API_VERSION = "mesh.openkcm.io/v1alpha1";
  private static final String KIND = "GateSettings";
  private static final Set<String> FIELDS =
      Set.of("apiVersion", "kind", "fatalPatterns", "providers");
  private static final Set<String> PROVIDER_FIELDS = Set.of("required", "httpHealthz", "http500");

  private final String file;
  private final Consumer<String> errors;

  private GateSettingsFileReader(String file, Consumer<String> errors) {
    this.file = file;
    this.errors = errors;
  }

  /** The document; not to be used if errors were reported. */
  static GateSettingsFile read(String file, Consumer<String> errors) {
    return new GateSettingsFileReader(file, errors).read();
  }

  private GateSettingsFile read() {
    try {
      var path = Path.of(file);
      if (Files.size(path) > MAX_BYTES) {
        addError("is larger than 1 MiB");
        return GateSettingsFile.EMPTY;
      }
      var yaml = YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
      return document(yaml.readTree(Files.readString(path)));
    } catch (JsonProcessingException e) {
      var location = e.getLocation();
      addError("is not valid YAML" + (location == null ? "" : " at line " + location.getLineNr()));
    } catch (IOException | InvalidPathException e) {
      addError("cannot be read: " + e.getClass().getSimpleName());
    }
    return GateSettingsFile.EMPTY;
  }

  private void addError(String what) {
    errors.accept("--settings \"%s\" %s".formatted(file, what));
  }

  private GateSettingsFile document(@Nullable JsonNode root) {
    if (root == null || !root.isObject()) {
      addError("must be a mapping with apiVersion: %s and kind: %s".formatted(API_VERSION, KIND));
      return GateSettingsFile.EMPTY;
    }
    requireKnownFields("", root, FIELDS);
    requireValue(root, "apiVersion", API_VERSION);
    requireValue(root, "kind", KIND);
    return new GateSettingsFile(patterns(root.path("fatalPatterns")), providers(root));
  }

  private void requireKnownFields(String path, JsonNode node, Set<String> known) {
    for (var entry : node.properties()) {
      if (!known.contains(entry.getKey())) {
        addError("has an unknown field %s%s".formatted(path, entry.getKey()));
      }
    }
  }

  private void requireValue(JsonNode root, String field, String value) {
    if (!root.path(field).asText().equals(value)) {
      addError("must have %s: %s".formatted(field, value));
    }
  }

  private FatalPatterns patterns(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return FatalPatterns.DEFAULT;
    }
    if (!node.isArray() || !node.valueStream().allMatch(JsonNode::isTextual)) {
      addError("has fatalPatterns that are not a list of texts");
      return FatalPatterns.DEFAULT;
    }
    try {
      return FatalPatterns.of(node.valueStream().map(JsonNode::asText).toList());
    } catch (PatternSyntaxException e) {
      addError("has the fatal pattern \"%s\", which is no expression".formatted(e.getPattern()));
      return FatalPatterns.DEFAULT;
    }
  }

  private Map<String, ProviderSettings> providers(JsonNode root) {
    var providers = new LinkedHashMap<String, ProviderSettings>();
    var node = root.path("providers");
    if (!node.isMissingNode() && !node.isNull() && !node.isObject()) {
      addError("has providers that are not a mapping by name");
      return providers;
    }
    for (var entry : node.properties()) {
      var path = "providers.%s.".formatted(entry.getKey());
      requireKnownFields(path, entry.getValue(), PROVIDER_FIELDS);
      providers.put(entry.getKey(), provider(path, entry.getValue()));
    }
    return providers;
  }

  private ProviderSettings provider(String path, JsonNode node) {
    var required = node.path("required");
    if (!required.isMissingNode() && !required.isBoolean()) {
      addError("has %srequired, which must be true or false".formatted(path));
    }
    return new ProviderSettings(required.asBoolean(true), http(path, node));
  }

  private @Nullable HttpHealthz http(String path, JsonNode node) {
    var on500 =
        switch (node.path("http500").asText("fatal")) {
          case "fatal" -> Verdict.FATAL;
          case "wait" -> Verdict.WAIT;
          default -> {
            addError("has %shttp500, which must be fatal or wait".formatted(path));
            yield Verdict.FATAL;
          }
        };
    var url = node.path("httpHealthz").asText("");
    if (url.isEmpty()) {
      return null;
    }
    try {
      var parsed = new URI(url);
      if ("http".equals(parsed.getScheme()) && parsed.getHost() != null) {
        return new HttpHealthz(parsed, on500);
      }
    } catch (URISyntaxException e) {
      // Reported below, like every other text that is no such address.
    }
    addError("has %shttpHealthz, which must be http://<host>:<port>/<path>".formatted(path));
    return null;
  }
}
