// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.cli.sandbox.SandboxDirectory.NameOption;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.ControlPlaneBuilder;
import io.krypton.sandbox.Directories;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The process behind {@code krypton sandbox up}: holds the control planes until it is told to end.
 */
@Command(name = "keep", hidden = true)
public final class SandboxKeepCommand implements Callable<Integer> {
  @Mixin private final NameOption sandbox = new NameOption();

  @Option(names = "--clusters")
  private int clusters;

  @Option(names = "--nodes")
  private int nodes;

  @Option(names = "--encryption", arity = "1")
  private boolean encryption;

  private final List<AutoCloseable> opened = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    var home = sandbox.home();
    var ended = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(
                    () -> {
                      closeAll();
                      ended.countDown();
                    }));
    home.record(startAll(home));
    ended.await();
    return 0;
  }

  private List<SandboxDirectory.Member> startAll(SandboxDirectory home) throws IOException {
    var kms = new ArrayList<@Nullable KmsPluginFiles>();
    var builders = new ArrayList<ControlPlaneBuilder>();
    for (var name : IntStream.range(0, clusters).mapToObj(SandboxKeepCommand::nameOf).toList()) {
      var builder =
          ControlPlane.builder(name)
              .withNodes(nodes)
              .onReady(binary -> home.noteReady(name, binary));
      var files = encryption ? startPlugin() : null;
      kms.add(files);
      builders.add(
          files == null ? builder : builder.withEncryption(files.encryptionConfiguration()));
    }
    var planes = ControlPlane.startAll(builders.toArray(ControlPlaneBuilder[]::new));
    opened.addAll(planes);
    var members = new ArrayList<SandboxDirectory.Member>();
    for (var index = 0; index < clusters; index++) {
      members.add(member(home, planes.get(index), kms.get(index)));
    }
    return members;
  }

  private SandboxDirectory.Member member(
      SandboxDirectory home, ControlPlane plane, @Nullable KmsPluginFiles kms) throws IOException {
    var kubeconfig = home.writePrivate(home.kubeconfig(plane.name()), plane.adminKubeconfig());
    return new SandboxDirectory.Member(
        plane.name(),
        plane.url().toString(),
        kubeconfig.toString(),
        nodes,
        kms == null ? null : kms.directory().toString());
  }

  private KmsPluginFiles startPlugin() throws IOException {
    var files = new KmsPluginFiles(Files.createTempDirectory("krypton-kms"));
    opened.add(() -> Directories.delete(files.directory()));
    opened.add(PluginServer.start(files.settings()));
    return files;
  }

  static String nameOf(int index) {
    return switch (index) {
      case 0 -> "home";
      case 1 -> "edge";
      default -> "edge-" + index;
    };
  }

  private void closeAll() {
    for (var closeable : opened.reversed()) {
      try {
        closeable.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
