// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import static org.awaitility.Awaitility.await;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The KMS plugins of one node: keyID n lives at {@code n.sock} in a directory. */
public final class Plugins implements Closeable {
  private final Path directory;
  private final List<Closeable> running = new ArrayList<>();

  public Plugins(Path directory) {
    this.directory = directory;
  }

  /** The value of {@code --kms-sockets} for these key ids. */
  public String sockets(int... keyIds) {
    var entries = new ArrayList<String>();
    for (int keyId : keyIds) {
      entries.add("%d=unix://%s".formatted(keyId, socket(keyId)));
    }
    return String.join(",", entries);
  }

  public Path socket(int keyId) {
    return directory.resolve(keyId + ".sock");
  }

  /** A plugin inside this JVM. */
  public PluginServer start(int keyId) {
    try {
      var plugin =
          PluginServer.start(
              PluginServer.Settings.of(
                  Endpoint.ofAddress(socket(keyId).toString()), keyFile(keyId)));
      running.add(plugin::close);
      return plugin;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A plugin in a JVM of its own, which can be killed. */
  public ChildJvm startProcess(int keyId) {
    var plugin =
        ChildJvm.start(
            directory,
            PluginMain.class,
            socket(keyId).toString(),
            keyFile(keyId).path().toString());
    running.add(plugin);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> plugin.output().contains("serving " + socket(keyId)));
    return plugin;
  }

  private KeyFile keyFile(int keyId) {
    return new KeyFile(directory.resolve(keyId + ".keys"));
  }

  @Override
  public void close() throws IOException {
    for (var plugin : running) {
      plugin.close();
    }
  }
}
