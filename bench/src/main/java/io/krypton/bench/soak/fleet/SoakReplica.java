// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import io.krypton.bench.harness.BenchOperator;
import io.krypton.sandbox.process.ServerProcess.Signals;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One of the operators: it is ended and started again, and each start is another process. */
public final class SoakReplica implements AutoCloseable {
  /** Five seconds are the promise; a machine that is busy with a soak adds to them. */
  private static final long ENDS_WITHIN_SECONDS = 45;

  private final String name;
  private final Path distribution;
  private final Path directory;
  private final String homeKubeconfig;
  private final List<String> flags;
  private final ReplicaClock clock;
  private final ReplicaDisk disk;
  private final List<String> surprises = new ArrayList<>();
  private @Nullable BenchOperator operator;
  private int starts;
  private boolean wanted;

  private SoakReplica(
      String name,
      Path distribution,
      Path directory,
      String homeKubeconfig,
      List<String> flags,
      ReplicaClock clock,
      ReplicaDisk disk) {
    this.name = name;
    this.distribution = distribution;
    this.directory = directory;
    this.homeKubeconfig = homeKubeconfig;
    this.flags = flags;
    this.clock = clock;
    this.disk = disk;
  }

  static SoakReplica prepare(
      String name, Path distribution, Path parent, String homeKubeconfig, List<String> flags)
      throws IOException, InterruptedException {
    var directory = Files.createDirectories(parent.resolve("replica-" + name));
    return new SoakReplica(
        name,
        distribution,
        directory,
        homeKubeconfig,
        List.copyOf(flags),
        ReplicaClock.in(directory),
        ReplicaDisk.at(directory.resolve("data")));
  }

  public String name() {
    return name;
  }

  public Path directory() {
    return directory;
  }

  public Path log() {
    return BenchOperator.log(directory);
  }

  public ReplicaClock clock() {
    return clock;
  }

  public ReplicaDisk disk() {
    return disk;
  }

  public synchronized int starts() {
    return starts;
  }

  /** How it ended, or did not end, without anybody's wish. */
  public synchronized List<String> surprises() {
    return List.copyOf(surprises);
  }

  /** The process of the moment, if it runs. */
  public synchronized Optional<BenchOperator> running() {
    return Optional.ofNullable(operator).filter(it -> it.process().isAlive());
  }

  public synchronized void start() throws IOException {
    if (running().isEmpty()) {
      operator =
          BenchOperator.start(
              distribution,
              directory,
              homeKubeconfig,
              clock.environment(),
              flags.toArray(String[]::new));
      starts++;
    }
    wanted = true;
  }

  /** As a kubelet does with a container that has ended. */
  synchronized void restartIfItEnded() throws IOException {
    if (wanted && operator != null && !operator.process().isAlive()) {
      surprises.add(
          "replica %s ended by itself with %d".formatted(name, operator.process().exitValue()));
      start();
    }
  }

  /**
   * SIGKILL.
   *
   * @param withChildren as the end of a container does; otherwise they live on without it
   */
  synchronized void kill(boolean withChildren) {
    wanted = false;
    running()
        .ifPresent(
            it -> {
              if (withChildren) {
                it.process().descendants().forEach(ProcessHandle::destroyForcibly);
              }
              it.process().destroyForcibly();
              it.process().onExit().join();
            });
  }

  /** SIGTERM, and SIGKILL when that does not help in time, which is a surprise. */
  public synchronized void terminate() throws InterruptedException {
    wanted = false;
    var process = running().map(BenchOperator::process).orElse(null);
    if (process == null) {
      return;
    }
    process.destroy();
    if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
      surprises.add("replica %s ignored SIGTERM".formatted(name));
      kill(true);
    }
  }

  synchronized int killChildren() {
    var children = running().stream().flatMap(it -> it.process().descendants()).toList();
    children.forEach(ProcessHandle::destroyForcibly);
    return children.size();
  }

  /** The children stand still after their parent, so that it starts no more. */
  synchronized void freeze() {
    running()
        .ifPresent(
            it -> {
              Signals.stop(it.process().pid());
              freezeChildren();
            });
  }

  /** Their parent goes on without them. */
  synchronized void freezeChildren() {
    running().stream()
        .flatMap(it -> it.process().descendants())
        .forEach(child -> attempt(() -> Signals.stop(child.pid())));
  }

  /** The children run before their parent can tell them anything. */
  synchronized void thaw() {
    running()
        .ifPresent(
            it -> {
              it.process()
                  .descendants()
                  .forEach(child -> attempt(() -> Signals.resume(child.pid())));
              Signals.resume(it.process().pid());
            });
  }

  /** A child may end at any time. */
  private static void attempt(Runnable signal) {
    try {
      signal.run();
    } catch (IllegalStateException | UncheckedIOException gone) {
      // That is all that was to be said to it.
    }
  }

  @Override
  public synchronized void close() throws IOException {
    kill(true);
    disk.close();
  }
}
