// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginFault;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node: two real plugins, keys 2 (write) and 1 (read), and a real {@code krypton reporter}. */
final class ReporterNode implements AutoCloseable {
  private final String name;
  private final Path directory;
  private final PluginServer write;
  private final PluginServer read;
  private final Process reporter;

  static ReporterNode start(
      Path base, ControlPlane plane, String name, @Nullable ReporterNode sameKeysAs)
      throws IOException {
    var directory = Files.createDirectories(base.resolve(name));
    for (var file : new String[] {"2.keys", "1.keys"}) {
      if (sameKeysAs != null) {
        copy(sameKeysAs.directory.resolve(file), directory.resolve(file));
      }
    }
    var kubeconfig = Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig());
    return new ReporterNode(name, directory, kubeconfig, "--listen=0");
  }

  /** A node on its own, with a kubeconfig that may not be there yet. */
  static ReporterNode start(Path base, String name, Path kubeconfig, int port) throws IOException {
    return new ReporterNode(
        name,
        Files.createDirectories(base.resolve(name)),
        kubeconfig,
        "--listen=127.0.0.1:" + port);
  }

  private ReporterNode(String name, Path directory, Path kubeconfig, String listen)
      throws IOException {
    this.name = name;
    this.directory = directory;
    this.write = plugin("2");
    this.read = plugin("1");
    var log = directory.resolve("log");
    this.reporter =
        new Shell(directory)
            .start(
                log,
                log,
                Shell.KRYPTON.toString(),
                "reporter",
                "--kms-sockets=2=" + address("2") + ",1=" + address("1"),
                "--node-name=" + name,
                "--interval=1s",
                "--read-timeout=900ms",
                "--deep-interval=3s",
                listen,
                "--kubeconfig=" + kubeconfig);
  }

  private PluginServer plugin(String key) throws IOException {
    if (!(Endpoint.parse(address(key)) instanceof ParsedEndpoint.Accepted(var endpoint))) {
      throw new IOException("not an address: " + address(key));
    }
    return PluginServer.start(
        PluginServer.Settings.of(endpoint, new KeyFile(directory.resolve(key + ".keys"))));
  }

  /** Where the plugin of a key listens. */
  String address(String key) {
    return "unix://" + directory.resolve("kms-" + key + ".sock");
  }

  String name() {
    return name;
  }

  String log() throws IOException {
    return Files.readString(directory.resolve("log"));
  }

  boolean isAlive() {
    return reporter.isAlive();
  }

  void breakWriteKey() throws IOException {
    write.use(new PluginFault.Down());
  }

  void breakReadKey() throws IOException {
    read.use(new PluginFault.Down());
  }

  void heal() throws IOException {
    write.use(new PluginFault.None());
    read.use(new PluginFault.None());
  }

  void rotate() throws IOException {
    new KeyFile(directory.resolve("2.keys")).rotate();
  }

  /** The remote key of another node becomes that of this one. */
  void follow(ReporterNode other) throws IOException {
    copy(other.directory.resolve("2.keys"), directory.resolve("2.keys"));
  }

  private static void copy(Path from, Path to) throws IOException {
    var next =
        Files.copy(
            from,
            to.resolveSibling(to.getFileName() + ".next"),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES);
    Files.move(next, to, StandardCopyOption.ATOMIC_MOVE);
  }

  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String which) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("/bin/sh", "-c", "kill -" + which + " " + reporter.pid()).start();
    if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
      throw new IOException("cannot send SIG" + which);
    }
  }

  void killReporter() throws InterruptedException {
    reporter.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws IOException {
    reporter.destroyForcibly();
    write.close();
    read.close();
  }
}
