// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import io.krypton.operator.release.helm.process.ChildProcess.ProcessTree;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where one run of this program keeps files that are nobody else's and go with it.
 *
 * <p>It holds a lock, which the kernel drops when the program dies in whatever way. So the next run
 * can tell leftovers from the files of another program that is alive and uses the same directory.
 */
public final class RunDirectory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RunDirectory.class);
  private static final String LOCK = "lock";

  private final Path directory;
  private final FileChannel lock;
  private final Set<String> deadInstances;

  private RunDirectory(Path directory, FileChannel lock, Set<String> died) {
    this.directory = directory;
    this.lock = lock;
    this.deadInstances = Set.copyOf(died);
  }

  /** The name of this run, which no other has. */
  String instance() {
    return directory.getFileName().toString();
  }

  /**
   * Earlier runs that died, or ended while they held locks; nothing of them is left, neither files
   * nor processes.
   */
  Set<String> deadInstances() {
    return deadInstances;
  }

  /** For the files of Helm processes. */
  static RunDirectory open(Path dataDir) throws IOException {
    return open(dataDir, "helm");
  }

  /**
   * Also removes what is left of runs that died.
   *
   * @param area holds directories of runs and nothing else
   */
  public static RunDirectory open(Path dataDir, String area) throws IOException {
    return openIn(PrivateDirectory.ensure(PrivateDirectory.ensure(dataDir).resolve(area)));
  }

  /** Synchronised because file locks do not tell the threads of one process apart. */
  private static synchronized RunDirectory openIn(Path all) throws IOException {
    // One start at a time: a directory is not yet locked in the moment it appears.
    var oneAtATime = locked(all);
    try {
      var died = sweep(all);
      var directory = PrivateDirectory.createBelow(all, ourPrefix());
      return new RunDirectory(directory, locked(directory), died);
    } finally {
      oneAtATime.close();
    }
  }

  private static FileChannel locked(Path directory) throws IOException {
    var channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    channel.lock();
    return channel;
  }

  public Path path() {
    return directory;
  }

  public Path newDirectory() throws IOException {
    return PrivateDirectory.createBelow(directory, "");
  }

  @Override
  public void close() {
    try {
      lock.close();
      PrivateDirectory.delete(directory);
    } catch (IOException e) {
      log.atWarn().addKeyValue("directory", directory).log("files left behind: {}", e.toString());
    }
  }

  /** As {@link #close}, but the empty directory stays: the next run takes it for one that died. */
  void closeRemembered() {
    try {
      try (var files = Files.list(directory)) {
        for (var file : files.toList()) {
          PrivateDirectory.delete(file);
        }
      } finally {
        lock.close();
      }
    } catch (IOException e) {
      log.atWarn().addKeyValue("directory", directory).log("files left behind: {}", e.toString());
    }
  }

  private static Set<String> sweep(Path all) throws IOException {
    var died = new HashSet<String>();
    try (var runs = Files.list(all)) {
      for (var run : runs.filter(Files::isDirectory).filter(run -> !isOurs(run)).toList()) {
        if (isAbandoned(run)) {
          OrphanProcesses.of(run).terminate();
          PrivateDirectory.delete(run);
          died.add(run.getFileName().toString());
          log.atInfo().addKeyValue("directory", run).log("removed files of a run that died");
        }
      }
    }
    return died;
  }

  private static boolean isAbandoned(Path run) throws IOException {
    var file = run.resolve(LOCK);
    if (Files.notExists(file)) {
      return true;
    }
    try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      return channel.tryLock() != null;
    }
  }

  /** Closing any channel of a file drops all our locks on it, so we must not touch our own. */
  private static boolean isOurs(Path run) {
    return run.getFileName().toString().startsWith(ourPrefix()) && Files.exists(run.resolve(LOCK));
  }

  private static String ourPrefix() {
    var self = ProcessHandle.current();
    var started = self.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    return self.pid() + "-" + started + "-";
  }

  /**
   * Helm processes that outlived the program that started them: they would still change releases.
   */
  public record OrphanProcesses(List<ProcessHandle> processes) {

    /** Known by the private files they were given, or by the private directory they work in. */
    public static OrphanProcesses of(Path run) throws IOException {
      var named = run.toAbsolutePath() + "/";
      var real = run.toRealPath() + "/";
      return new OrphanProcesses(
          ProcessHandle.allProcesses()
              .filter(
                  process ->
                      Stream.concat(
                              process.info().arguments().stream().flatMap(Arrays::stream),
                              workingDirectory(process).stream())
                          .anyMatch(place -> place.startsWith(named) || place.startsWith(real)))
              .toList());
    }

    /** Empty for processes of others, and on systems that do not show it. */
    private static Optional<String> workingDirectory(ProcessHandle process) {
      try {
        var link = Path.of("/proc", Long.toString(process.pid()), "cwd");
        return Optional.of(Files.readSymbolicLink(link).toString());
      } catch (IOException | UnsupportedOperationException hidden) {
        return Optional.empty();
      }
    }

    public void terminate() {
      processes.forEach(process -> new ProcessTree(process).terminate(ChildProcess.GRACE));
    }
  }
}
