// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A container of an example pod as a process of this machine: its arguments, its user and groups,
 * its capabilities, its environment. Paths of its mounts are replaced by the directories of its
 * volumes, as there is no engine that could mount them; who may read and write what is checked by
 * the kernel.
 */
final class ExampleContainer {
  /** What container engines leave to a container that drops nothing. */
  private static final List<String> BY_DEFAULT =
      List.of(
          "chown,dac_override,fowner,fsetid,kill,setgid,setuid,setpcap,net_bind_service,net_raw,"
              .concat("sys_chroot,mknod,audit_write,setfcap")
              .split(","));

  private static final Duration LIMIT = Duration.ofSeconds(30);

  /** The user of the image of Krypton; other images have root. */
  private static final int OF_THE_IMAGE = 65532;

  private final String name;
  private final JsonNode container;
  private final JsonNode ofPod;
  private final Map<String, Path> mounts;

  ExampleContainer(String name, JsonNode container, JsonNode ofPod, Map<String, Path> mounts) {
    this.name = name;
    this.container = container;
    this.ofPod = ofPod;
    this.mounts = Map.copyOf(mounts);
  }

  /** Only root can become somebody else, so that nobody else can run these tests. */
  static void assumeRoot() throws IOException, InterruptedException {
    assumeTrue(
        System.getProperty("user.name").equals("root"),
        "only root can start the examples' containers as the users that they name");
    var tried = new Shell(Path.of("/")).run(LIMIT, "sh", "-c", "command -v setpriv");
    assumeTrue(tried.exit() == 0, "setpriv of util-linux is needed to start the examples");
  }

  /** The arguments of the manifest, with the directories of this machine. */
  List<String> arguments() {
    return ExamplePod.texts(container.path("args")).stream().map(this::here).toList();
  }

  /** A text of the container with its mount paths replaced, the longest first. */
  String here(String text) {
    var paths = new ArrayList<>(mounts.keySet());
    paths.sort((one, other) -> other.length() - one.length());
    for (var path : paths) {
      text = text.replace(path, String.valueOf(mounts.get(path)));
    }
    return text;
  }

  /** Runs {@code krypton} with the arguments of the manifest and some more to its end. */
  Shell.Result run(Duration limit, String... more) throws IOException, InterruptedException {
    return shell().run(limit, krypton(more));
  }

  /** Starts {@code krypton} with the arguments of the manifest and some more. */
  Process start(Path log, String... more) throws IOException {
    return shell().start(log, log, krypton(more));
  }

  /** Starts another program with the rights of this container, whose image the example invents. */
  Process startInstead(Path log, String... command) throws IOException {
    return shell().start(log, log, asUser(List.of(command)).toArray(String[]::new));
  }

  private String[] krypton(String... more) {
    var command = new ArrayList<>(List.of(Shell.KRYPTON.toString()));
    command.addAll(arguments());
    command.addAll(List.of(more));
    return asUser(command).toArray(String[]::new);
  }

  private Shell shell() {
    var shell = new Shell(Path.of("/")).with("HOME", "/tmp");
    environment().forEach(shell::with);
    return shell;
  }

  /** Literals, and the one field of a pod that is known before the API server is. */
  private Map<String, String> environment() {
    var environment = new HashMap<String, String>();
    for (var variable : container.path("env")) {
      var field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      environment.put(
          variable.path("name").asText(),
          field.equals("spec.nodeName") ? "master-0" : variable.path("value").asText());
    }
    return environment;
  }

  /** The command behind a change of user, groups and capabilities. */
  List<String> asUser(List<String> command) {
    var groups = new ArrayList<>(ExamplePod.texts(ofPod.path("supplementalGroups")));
    if (ofPod.has("fsGroup")) {
      groups.add(ofPod.path("fsGroup").asText());
    }
    var all =
        new ArrayList<>(
            List.of(
                "setpriv",
                "--reuid=" + id("runAsUser"),
                "--regid=" + id("runAsGroup"),
                groups.isEmpty() ? "--clear-groups" : "--groups=" + String.join(",", groups),
                "--inh-caps=-all",
                "--bounding-set=-all" + capabilities()));
    if (!container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true)) {
      all.add("--no-new-privs");
    }
    all.addAll(command);
    return all;
  }

  private int id(String field) {
    var own = container.path("securityContext").path(field);
    var given = own.isMissingNode() ? ofPod.path(field) : own;
    var ofImage = container.path("image").asText().contains("krypton") ? OF_THE_IMAGE : 0;
    return given.asInt(ofImage);
  }

  private String capabilities() {
    var wanted = container.at("/securityContext/capabilities");
    var kept = new ArrayList<String>();
    if (!ExamplePod.texts(wanted.path("drop")).contains("ALL")) {
      kept.addAll(BY_DEFAULT);
    }
    ExamplePod.texts(wanted.path("add")).forEach(added -> kept.add(added.toLowerCase(Locale.ROOT)));
    return String.join("", kept.stream().map(each -> ",+" + each).toList());
  }

  @Override
  public String toString() {
    return name;
  }
}
