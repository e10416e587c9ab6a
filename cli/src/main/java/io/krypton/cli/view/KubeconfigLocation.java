// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where the access to the cluster comes from, in kubectl's order. */
sealed interface KubeconfigLocation {
  /** One file, or the several of KUBECONFIG that are read as one. */
  record FromFiles(List<Path> paths) implements KubeconfigLocation {}

  /** The service account of the pod we run in. */
  record InCluster() implements KubeconfigLocation {}

  /** The flag, else KUBECONFIG, else the user's file, else the pod we run in. */
  static KubeconfigLocation of(
      @Nullable String flag, Map<String, String> environment, Path userHome) {
    if (flag != null && !flag.isEmpty()) {
      return new FromFiles(List.of(existing(Path.of(flag), "--kubeconfig")));
    }
    var named =
        Arrays.stream(environment.getOrDefault("KUBECONFIG", "").split(File.pathSeparator))
            .filter(name -> !name.isBlank())
            .map(Path::of)
            .toList();
    if (!named.isEmpty()) {
      var present = named.stream().filter(Files::exists).toList();
      return new FromFiles(
          present.isEmpty() ? List.of(existing(named.getFirst(), "KUBECONFIG")) : present);
    }
    var usual = userHome.resolve(".kube").resolve("config");
    if (Files.exists(usual)) {
      return new FromFiles(List.of(usual));
    }
    if (!environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()) {
      return new InCluster();
    }
    throw CliException.usage(
        "no kubeconfig: KUBECONFIG is not set and %s does not exist; name one with --kubeconfig"
            .formatted(usual));
  }

  private static Path existing(Path file, String origin) {
    if (!Files.isRegularFile(file)) {
      throw CliException.usage(
          "%s %s %s; name a kubeconfig file with --kubeconfig"
              .formatted(origin, file, Files.exists(file) ? "is not a file" : "does not exist"));
    }
    return file;
  }

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
        throw CliException.usage(
            "%s is not YAML (line %d); name a kubeconfig with --kubeconfig"
                .formatted(file, malformed.getLocation().getLineNr()));
      } catch (IOException unreadable) {
        throw CliException.usage(
            "%s cannot be read; check its permissions, or name another with --kubeconfig"
                .formatted(file));
      }
      throw CliException.usage("%s is empty; name a kubeconfig with --kubeconfig".formatted(file));
    }

    Chosen choose(@Nullable String wanted) {
      var name = wanted == null || wanted.isEmpty() ? current : wanted;
      var namespace = namespaces.get(name);
      if (namespace != null) {
        return new Chosen(name, namespace.isEmpty() ? "default" : namespace);
      }
      throw CliException.usage(
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
}
