// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/**
 * A container of an example, run without a container: with its user, without capabilities, and with
 * directories of this machine in place of its mounts.
 */
public record ExampleContainer(JsonNode spec) {
  /** Of our images; containers of others are root unless they say otherwise. */
  private static final int IMAGE_USER = 65532;

  /** By its name, from a pod. */
  public static ExampleContainer of(JsonNode pod, String name) {
    for (var list : List.of("initContainers", "containers")) {
      for (var container : pod.path("spec").path(list)) {
        if (container.path("name").asText().equals(name)) {
          return new ExampleContainer(container);
        }
      }
    }
    throw new IllegalArgumentException("the example has no container " + name);
  }

  public int user() {
    var byImage = spec.path("image").asText().contains("krypton") ? IMAGE_USER : 0;
    return spec.at("/securityContext/runAsUser").asInt(byImage);
  }

  /** Its arguments, with other directories for those that are mounted. */
  public String[] arguments(Map<String, String> directories) {
    return StreamSupport.stream(spec.path("args").spliterator(), false)
        .map(JsonNode::asText)
        .map(
            argument ->
                directories.entrySet().stream()
                    .reduce(
                        argument,
                        (text, mount) -> text.replace(mount.getKey(), mount.getValue()),
                        (first, second) -> second))
        .toArray(String[]::new);
  }

  /** What makes a command run as the container's user. Only root can do that for others. */
  public List<String> launcher() {
    if (!System.getProperty("user.name").equals("root")) {
      return List.of();
    }
    var group = spec.at("/securityContext/runAsGroup").asInt(user());
    var command =
        new ArrayList<>(
            List.of("setpriv", "--reuid=" + user(), "--regid=" + group, "--clear-groups"));
    command.addAll(List.of("--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"));
    return command;
  }
}
