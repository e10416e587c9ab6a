package io.krypton.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The contexts of kubeconfig files; the client library takes an unknown one without a word. */
record KubeconfigContexts(List<Path> files, String current, Map<String, String> namespaces) {
  /** A context that exists. */
  record Chosen(String name, String namespace) {}

  static KubeconfigContexts read(List<Path> files) {
    var current = "";
    var namespaces = new LinkedHashMap<String, String>();
    for (var file : files) {
      var root = parse(file);
      if (current.isEmpty()) {
        current = root.path("current-context").asText("");
      }
      for (var context : root.path("contexts")) {
        namespaces.putIfAbsent(
            context.path("name").asText(""),
            context.path("context").path("namespace").asText("default"));
      }
    }
    return new KubeconfigContexts(files, current, namespaces);
  }

  private static JsonNode parse(Path file) {
    try {
      var root = new YAMLMapper().readTree(Files.readString(file));
      if (root != null && root.isObject()) {
        return root;
      }
    } catch (JsonProcessingException malformed) {
      // Its message quotes the file, which holds credentials.
      throw UserError.usage(
          "%s is not YAML (line %d); name a kubeconfig with --kubeconfig"
              .formatted(file, malformed.getLocation().getLineNr()));
    } catch (IOException unreadable) {
      throw UserError.usage(
          "%s cannot be read; check its permissions, or name another with --kubeconfig"
              .formatted(file));
    }
    throw UserError.usage("%s is empty; name a kubeconfig with --kubeconfig".formatted(file));
  }

  Chosen choose(@Nullable String wanted) {
    var name = wanted == null || wanted.isEmpty() ? current : wanted;
    var namespace = namespaces.get(name);
    if (namespace != null) {
      return new Chosen(name, namespace.isEmpty() ? "default" : namespace);
    }
    throw UserError.usage(
        name.isEmpty()
            ? "%s names no current-context; choose one with --context: %s"
                .formatted(where(), known())
            : "context '%s' is not in %s; choose one with --context: %s"
                .formatted(name, where(), known()));
  }

  private String where() {
    return String.join(", ", files.stream().map(Path::toString).toList());
  }

  private String known() {
    return namespaces.isEmpty() ? "it has none" : String.join(", ", namespaces.keySet());
  }
}
