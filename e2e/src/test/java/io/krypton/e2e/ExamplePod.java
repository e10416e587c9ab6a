// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A pod of the examples on a node that is only a directory. Its volumes are made as the kubelet
 * makes them; its containers run as processes, see {@link ExampleContainer}.
 */
final class ExamplePod {
  private final Path node;
  private final JsonNode spec;
  private final Map<String, Path> volumes = new LinkedHashMap<>();

  private ExamplePod(Path node, JsonNode spec) {
    this.node = node;
    this.spec = spec;
  }

  /**
   * Reads a manifest and makes its volumes.
   *
   * @param node stands for the root of the node's files; a hostPath of type Directory must be there
   */
  static ExamplePod on(Path node, Path manifest) throws IOException {
    var yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    JsonNode pod = JsonMapper.builder().build().valueToTree(yaml.load(Files.readString(manifest)));
    var example = new ExamplePod(node, pod.path("spec"));
    permit(node, "rwxr-xr-x");
    for (var volume : example.spec.path("volumes")) {
      example.volumes.put(volume.path("name").asText(), example.prepare(volume));
    }
    return example;
  }

  /** Where a path of the host is in the directory. */
  static Path host(Path node, String path) {
    return node.resolve(path.substring(1));
  }

  private Path prepare(JsonNode volume) throws IOException {
    if (volume.has("emptyDir")) {
      var directory = Files.createDirectories(node.resolve(volume.path("name").asText()));
      permit(directory, "rwxrwxrwx");
      return directory;
    }
    var directory = host(node, volume.at("/hostPath/path").asText());
    switch (volume.at("/hostPath/type").asText()) {
      case "DirectoryOrCreate" -> {
        if (!Files.exists(directory)) {
          Files.createDirectories(directory);
          permit(directory, "rwxr-xr-x");
        }
      }
      case "Directory" -> {
        if (!Files.isDirectory(directory)) {
          throw new IOException("the kubelet would not start the pod without " + directory);
        }
      }
      default -> throw new IOException("no such volume is expected in an example: " + volume);
    }
    return directory;
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  Path volume(String name) {
    var directory = volumes.get(name);
    if (directory == null) {
      throw new IllegalArgumentException("no volume " + name + " in " + volumes.keySet());
    }
    return directory;
  }

  ExampleContainer container(String name) {
    var container =
        Stream.of("initContainers", "containers")
            .flatMap(list -> StreamSupport.stream(spec.path(list).spliterator(), false))
            .filter(each -> each.path("name").asText().equals(name))
            .findFirst()
            .orElseThrow();
    return new ExampleContainer(name, container, spec.path("securityContext"), mounts(container));
  }

  /** The volumes of a container by the paths at which it sees them. */
  private Map<String, Path> mounts(JsonNode container) {
    var mounts = new LinkedHashMap<String, Path>();
    for (var mount : container.path("volumeMounts")) {
      mounts.put(mount.path("mountPath").asText(), volume(mount.path("name").asText()));
    }
    return mounts;
  }

  /** The texts of a list in the manifest. */
  static List<String> texts(JsonNode list) {
    var texts = new ArrayList<String>();
    list.forEach(each -> texts.add(each.asText()));
    return texts;
  }
}
