// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.HelmEnvironment;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessTree;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import io.krypton.operator.release.helm.worker.WorkerProcess.UnusableWorkerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Starts the program {@code krypton-helm}. */
final class WorkerProgram implements WorkerProcess.Launcher {
  static final String REMEDY = "; name it with --helm-worker, or use --helm-engine=cli";

  private final String name;
  private final HelmEnvironment environment;
  private final HelmFiles files;

  WorkerProgram(HelmSettings settings, HelmFiles files) {
    this.name = settings.programs().worker();
    this.environment = new HelmEnvironment(settings);
    this.files = files;
  }

  @Override
  public WorkerProcess launch() throws UnusableWorkerException {
    var program =
        environment.locate(name).orElseThrow(() -> new UnusableWorkerException(notFound()));
    OperationFiles directory;
    try {
      directory = files.newFiles();
    } catch (IOException e) {
      throw new UnusableWorkerException("no private files for helm: " + e.getMessage());
    }
    try {
      return new Running(start(program, directory.directory().toAbsolutePath()), directory);
    } catch (IOException e) {
      directory.close();
      var cause = e.getCause() == null ? e : e.getCause();
      throw new UnusableWorkerException(
          "cannot run %s: %s%s".formatted(program, cause.getMessage(), REMEDY));
    }
  }

  /**
   * Its directory lies below that of this run, so that the next run finds it if it outlives us: it
   * gets no arguments that could tell.
   */
  private Process start(Path program, Path directory) throws IOException {
    var builder = new ProcessBuilder(program.toString()).directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment.forWorker(directory));
    return builder.start();
  }

  @Override
  public Optional<String> problem() {
    return environment.locate(name).isPresent() ? Optional.empty() : Optional.of(notFound());
  }

  private String notFound() {
    return "helm worker '" + name + "' not found" + REMEDY;
  }

  private record Running(Process process, OperationFiles directory) implements WorkerProcess {
    @Override
    public OutputStream input() {
      return process.getOutputStream();
    }

    @Override
    public InputStream output() {
      return process.getInputStream();
    }

    @Override
    public InputStream errors() {
      return process.getErrorStream();
    }

    @Override
    public CompletableFuture<Integer> exit() {
      return process
          .onExit()
          .thenApply(
              ended -> {
                directory.close();
                return ended.exitValue();
              });
    }

    @Override
    public void kill() {
      new ProcessTree(process.toHandle()).kill();
    }
  }
}
