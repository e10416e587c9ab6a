// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.ChildProcess;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts Helm with private files and knows the children that live. */
final class HelmRunner implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HelmRunner.class);

  /** How a start went. */
  sealed interface RunResult {
    record Ended(ProcessResult outcome) implements RunResult {}

    record Unusable(String reason) implements RunResult {}

    record Refused() implements RunResult {}
  }

  private final HelmSettings settings;
  private final HelmBinary binary;
  private final Map<ChildProcess, String> children = new ConcurrentHashMap<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final HelmFiles files;

  /**
   * @param files are not closed with it
   */
  HelmRunner(HelmSettings settings, HelmFiles files) {
    this.settings = settings;
    this.binary = new HelmBinary(settings.programs().helm(), new HelmEnvironment(settings));
    this.files = files;
  }

  /** Checks whether the program can be used, unless that is known. */
  HelmBinary.CheckResult check() {
    try (var own = newFiles()) {
      return binary.check(own.directory());
    } catch (IOException e) {
      return new HelmBinary.CheckResult.Unusable("no private files for helm: " + e.getMessage());
    }
  }

  /** What is wrong with the program, as far as is known. */
  Optional<String> problem() {
    return binary.problem();
  }

  OperationFiles newFiles() throws IOException {
    return files.newFiles();
  }

  /** {@code owner}: what {@link #stop} knows the child by. */
  RunResult run(
      String owner,
      List<String> arguments,
      Map<String, String> environment,
      Path home,
      Duration limit) {
    if (closed.get()) {
      return new RunResult.Refused();
    }
    return switch (binary.check(home)) {
      case HelmBinary.CheckResult.Unusable(var reason) -> new RunResult.Unusable(reason);
      case HelmBinary.CheckResult.Usable(var program, var version) -> {
        var command = new ArrayList<>(List.of(program.toString()));
        command.addAll(arguments);
        yield start(owner, command, environment, home, limit);
      }
    };
  }

  private RunResult start(
      String owner,
      List<String> command,
      Map<String, String> environment,
      Path home,
      Duration limit) {
    try {
      var child = ChildProcess.start(command, environment, home);
      children.put(child, owner);
      try {
        // A concurrent close did not see this child.
        if (closed.get()) {
          child.stop(settings.closeGrace());
        }
        return new RunResult.Ended(child.await(limit));
      } finally {
        children.remove(child);
      }
    } catch (IOException e) {
      return new RunResult.Unusable("helm does not start: " + e.getMessage());
    }
  }

  /** Of the program that was found usable; else empty. */
  String version() {
    return binary.version();
  }

  int processes() {
    return children.size();
  }

  void stop(String owner) {
    children.forEach(
        (child, owned) -> {
          if (owned.equals(owner)) {
            child.stop(ChildProcess.GRACE);
          }
        });
  }

  @Override
  public void close() {
    closed.set(true);
    children.keySet().forEach(child -> child.stop(settings.closeGrace()));
    awaitNoChildren(settings.closeGrace());
    children.keySet().forEach(ChildProcess::kill);
    awaitNoChildren(ChildProcess.GRACE);
  }

  boolean isClosed() {
    return closed.get();
  }

  private void awaitNoChildren(Duration limit) {
    var ends =
        children.keySet().stream().map(ChildProcess::ended).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.atInfo().log("{} helm processes have not ended within {}", processes(), limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a process cannot fail", e);
    }
  }
}
