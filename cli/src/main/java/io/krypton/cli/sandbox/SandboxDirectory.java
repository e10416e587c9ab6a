// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The directory of a sandbox that outlives the command that started it: who keeps it alive, and
 * what it consists of.
 */
record SandboxDirectory(String name, Path directory) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,30}[a-z0-9])?");
  private static final Duration CLOCK_STEP = Duration.ofMinutes(1);
  private static final JsonMapper JSON = new JsonMapper();

  /** What {@code up} has started; written when all of it serves. */
  record Contents(long keeper, String keeperStarted, List<Member> clusters) {}

  /** One control plane. */
  record Member(
      String name, String url, String kubeconfig, int nodes, @Nullable String kmsDirectory) {}

  static SandboxDirectory of(String name, Map<String, String> environment) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--name '%s': use at most 32 of a-z, 0-9 and '-'".formatted(name));
    }
    return new SandboxDirectory(name, all(environment).resolve(name));
  }

  /** The directory that holds one for each sandbox of this user. */
  static Path all(Map<String, String> environment) {
    var state = environment.get("XDG_STATE_HOME");
    var base =
        state == null || state.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".local", "state")
            : Path.of(state);
    return base.resolve("krypton").resolve("sandbox");
  }

  Path log() {
    return directory.resolve("log");
  }

  Path kubeconfig(String cluster) {
    return directory.resolve(cluster + ".kubeconfig");
  }

  private Path contentsFile() {
    return directory.resolve("sandbox.json");
  }

  private Path readyFile() {
    return directory.resolve("ready");
  }

  /** Called for several clusters at once; a short line is appended as a whole. */
  void noteReady(String cluster, Binary binary) {
    try {
      Files.writeString(
          readyFile(),
          cluster + " " + binary.fileName() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The servers of a start under way that are ready, {@code home etcd}. */
  List<String> ready() throws IOException {
    try {
      return Files.readAllLines(readyFile());
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  void create() throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** What runs here now; a record whose keeper has died is nobody's. */
  Optional<Contents> running() {
    return recorded().filter(contents -> keeperOf(contents).isPresent());
  }

  private Optional<Contents> recorded() {
    try {
      return Optional.of(JSON.readValue(Files.readString(contentsFile()), Contents.class));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (JsonProcessingException torn) {
      throw new IllegalStateException(
          "%s cannot be read; remove the directory".formatted(contentsFile()), torn);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process id alone could by now belong to somebody else. */
  static Optional<ProcessHandle> keeperOf(Contents contents) {
    return ProcessHandle.of(contents.keeper())
        .filter(ProcessHandle::isAlive)
        .filter(process -> isSameStart(contents.keeperStarted(), startOf(process)));
  }

  /**
   * The system tells a start by the wall clock and a boot time in whole seconds, so that of one and
   * the same process moves a little when the clock is set.
   */
  static boolean isSameStart(String noted, String told) {
    return noted.equals(told)
        || (!noted.isEmpty()
            && !told.isEmpty()
            && Duration.between(Instant.parse(noted), Instant.parse(told))
                    .abs()
                    .compareTo(CLOCK_STEP)
                <= 0);
  }

  void record(List<Member> members) throws IOException {
    var keeper = ProcessHandle.current();
    var contents = new Contents(keeper.pid(), startOf(keeper), members);
    var half =
        Files.writeString(directory.resolve(".sandbox.json"), JSON.writeValueAsString(contents));
    Files.move(half, contentsFile(), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toString).orElse("");
  }

  /** Writes a file that only its owner may read. */
  Path writePrivate(Path file, String content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, content);
  }

  void delete() throws IOException {
    Directories.delete(directory);
  }

  /** Which sandbox is meant; several may run at once. */
  static final class NameOption {
    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "Name of the sandbox; several may run side by side. Default: default")
    String name = "default";

    SandboxDirectory home() {
      return SandboxDirectory.of(name, System.getenv());
    }
  }
}
