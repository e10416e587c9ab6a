// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The Helm operations of the operator as calls of the command line: those that it makes itself
 * where it has no worker.
 *
 * @param directory the home of whoever calls, where Helm keeps what it learned of the API
 */
public record PlainHelm(Path directory, Path kubeconfig) {
  private static final String NO_VALUES = "{}";
  private static final String PROGRAM = Assets.fromEnvironment().find(Binary.HELM).toString();

  /** With {@code validate} as the first call for a chart, without as all others. */
  public void install(String name, Path chart, boolean validate)
      throws IOException, InterruptedException {
    likeTheOperator(name, NO_VALUES, validate, "install", release(name), chart.toString());
  }

  /** To the values that the chart brings. */
  public void upgrade(String name, Path chart) throws IOException, InterruptedException {
    upgrade(name, chart, NO_VALUES);
  }

  public void upgrade(String name, Path chart, String values)
      throws IOException, InterruptedException {
    likeTheOperator(
        name,
        values,
        false,
        "upgrade",
        release(name),
        chart.toString(),
        "--reset-values",
        "--history-max=5",
        "--server-side=true",
        "--force-conflicts");
  }

  /** As people type it: Helm makes the namespace, and checks the objects against the API. */
  public void installAsTyped(String name, Path chart) throws IOException, InterruptedException {
    run(name, "install", release(name), chart.toString(), "--create-namespace");
  }

  static String release(String name) {
    return "tenant-" + name + "-edge";
  }

  private void likeTheOperator(String name, String json, boolean validate, String... operation)
      throws IOException, InterruptedException {
    var values = Files.writeString(filesOf(name).resolve("values.json"), json);
    var arguments = new ArrayList<>(List.of(operation));
    arguments.addAll(
        List.of(
            "--values",
            values.toString(),
            "--labels",
            "a=b,c=d,e=f",
            "--wait=hookOnly",
            "--timeout",
            "180s"));
    if (!validate) {
      arguments.add("--disable-openapi-validation");
    }
    run(name, arguments.toArray(String[]::new));
  }

  private Path filesOf(String name) throws IOException {
    return Files.createDirectories(directory.resolve("helm/" + name));
  }

  private void run(String name, String... arguments) throws IOException, InterruptedException {
    var files = filesOf(name);
    var command = new ArrayList<>(List.of(PROGRAM));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--namespace", name, "--kubeconfig", kubeconfig.toString()));
    var builder = new ProcessBuilder(command).directory(files.toFile());
    builder.environment().clear();
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("PATH", "/usr/bin:/bin");
    var log = files.resolve("log").toFile();
    var exit = builder.redirectOutput(log).redirectErrorStream(true).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("helm failed: " + Files.readString(log.toPath()));
    }
  }
}
