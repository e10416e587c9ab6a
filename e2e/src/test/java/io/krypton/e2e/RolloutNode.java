// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A control plane node whose static pod is replaced, revision by revision: real plugins, an
 * EncryptionConfiguration and a real {@code krypton reporter} with default intervals.
 */
final class RolloutNode implements AutoCloseable {
  private final String name;
  private final Path directory;
  private final Path kubeconfig;
  private final Path keys;
  private final Map<Integer, PluginServer> plugins = new TreeMap<>();
  private @Nullable Process reporter;
  private int revision;

  /**
   * Prepares a node without any plugin.
   *
   * @param keys the key files of all nodes: they use the same remote keys
   */
  RolloutNode(Path base, ControlPlane plane, String name, Path keys) throws IOException {
    this.name = name;
    this.keys = keys;
    this.directory = Files.createDirectories(base.resolve(name));
    this.kubeconfig = Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig());
  }

  String name() {
    return name;
  }

  /** A new revision of the pod: the first key writes, the others are read. */
  void roll(Integer... keyIds) throws IOException, InterruptedException {
    stopReporter();
    revision++;
    var wanted = List.of(keyIds);
    for (var keyId : wanted) {
      if (!plugins.containsKey(keyId)) {
        plugins.put(keyId, plugin(keyId));
      }
    }
    for (var running : new TreeMap<>(plugins).entrySet()) {
      if (!wanted.contains(running.getKey())) {
        running.getValue().close();
        plugins.remove(running.getKey());
      }
    }
    var log = directory.resolve("log-" + revision);
    reporter =
        new Shell(directory)
            .start(
                log,
                log,
                Shell.KRYPTON.toString(),
                "reporter",
                "--kms-sockets=" + sockets(keyIds),
                "--encryption-provider-config=" + configuration(keyIds),
                "--node-name=" + name,
                "--listen=0",
                "--kubeconfig=" + kubeconfig);
  }

  /** As the kubelet does: SIGTERM, and some time. */
  private void stopReporter() throws InterruptedException {
    if (reporter != null) {
      reporter.destroy();
      if (!reporter.waitFor(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the reporter of %s ignores SIGTERM".formatted(name));
      }
    }
  }

  private PluginServer plugin(int keyId) throws IOException {
    var source = keys.resolve(keyId + ".keys");
    new KeyFile(source).createIfMissing();
    var own = directory.resolve(keyId + ".keys");
    Files.copy(
        source, own, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    return PluginServer.start(
        PluginServer.Settings.of(Endpoint.ofAddress(socket(keyId).toString()), new KeyFile(own)));
  }

  private Path socket(int keyId) {
    return directory.resolve("kms-" + keyId + ".sock");
  }

  private String sockets(Integer... keyIds) {
    return Arrays.stream(keyIds)
        .map(keyId -> "%d=unix://%s".formatted(keyId, socket(keyId)))
        .collect(Collectors.joining(","));
  }

  private Path configuration(Integer... keyIds) throws IOException {
    var lines =
        new ArrayList<>(
            List.of(
                "apiVersion: apiserver.config.k8s.io/v1",
                "kind: EncryptionConfiguration",
                "resources:",
                "- resources: [secrets]",
                "  providers:"));
    for (var keyId : keyIds) {
      lines.add(
          "  - kms: {apiVersion: v2, name: kms-%d, endpoint: \"unix://%s\"}"
              .formatted(keyId, socket(keyId)));
    }
    lines.add("  - identity: {}");
    return Files.write(directory.resolve("encryption-%d.yaml".formatted(revision)), lines);
  }

  String log() throws IOException {
    return Files.readString(directory.resolve("log-" + revision));
  }

  @Override
  public void close() throws IOException {
    if (reporter != null) {
      reporter.destroyForcibly();
    }
    for (var plugin : plugins.values()) {
      plugin.close();
    }
  }
}
