// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The same Helm runs that the operator makes, as somebody would type them.
 *
 * @param directory the home of that somebody, where Helm keeps what it learned of the API
 * @param tuning variables for the runtime of Helm, which a plain loop does not set
 */
public record PlainHelm(Path directory, Path kubeconfig, Map<String, String> tuning) {
  private static final String PROGRAM = Assets.fromEnvironment().find(Binary.HELM).toString();

  public PlainHelm(Path directory, Path kubeconfig) {
    this(directory, kubeconfig, Map.of());
  }

  /** As cheap as the operator makes them. */
  public PlainHelm tuned() {
    return new PlainHelm(
        directory,
        kubeconfig,
        Map.of(
            "GOGC", "off",
            "GOMEMLIMIT", "128MiB",
            "GOMAXPROCS", "1",
            "LC_MESSAGES", "zh_TW.UTF-8"));
  }

  /** With {@code validate} as the operator's first run for a chart, without as all others. */
  public void install(String name, Path chart, boolean validate)
      throws IOException, InterruptedException {
    likeTheOperator(name, validate, "install", release(name), chart.toString());
  }

  public void upgrade(String name, Path chart) throws IOException, InterruptedException {
    likeTheOperator(
        name,
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

  private void likeTheOperator(String name, boolean validate, String... operation)
      throws IOException, InterruptedException {
    var values = Files.writeString(filesOf(name).resolve("values.json"), "{}");
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
    builder.environment().putAll(tuning);
    var log = files.resolve("log").toFile();
    var exit = builder.redirectOutput(log).redirectErrorStream(true).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("helm failed: " + Files.readString(log.toPath()));
    }
  }
}
