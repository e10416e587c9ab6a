package io.krypton.bench.lab;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Binary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The same Helm runs that the operator makes, without an operator.
 *
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
        directory, kubeconfig, Map.of("GOGC", "off", "GOMEMLIMIT", "128MiB", "GOMAXPROCS", "1"));
  }

  /** With {@code validate} as the operator's first run for a chart, without as all others. */
  public void install(String name, Path chart, boolean validate)
      throws IOException, InterruptedException {
    run(name, validate, "install", release(name), chart.toString());
  }

  public void upgrade(String name, Path chart) throws IOException, InterruptedException {
    run(
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

  static String release(String name) {
    return "tenant-" + name + "-edge";
  }

  private void run(String name, boolean validate, String... operation)
      throws IOException, InterruptedException {
    var home = Files.createDirectories(directory.resolve("helm/" + name));
    var values = Files.writeString(home.resolve("values.json"), "{}");
    var command = new ArrayList<String>();
    command.add(PROGRAM);
    command.addAll(Arrays.asList(operation));
    command.addAll(
        List.of(
            "--values",
            values.toString(),
            "--labels",
            "a=b,c=d,e=f",
            "--wait=hookOnly",
            "--namespace",
            name,
            "--kubeconfig",
            kubeconfig.toString(),
            "--timeout",
            "180s"));
    if (!validate) {
      command.add("--disable-openapi-validation");
    }
    var builder = new ProcessBuilder(command).directory(home.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment(home));
    builder.environment().putAll(tuning);
    var log = home.resolve("log").toFile();
    var exit = builder.redirectOutput(log).redirectErrorStream(true).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("helm failed: " + Files.readString(log.toPath()));
    }
  }

  private static Map<String, String> environment(Path home) {
    return Map.of(
        "HOME", home.toString(),
        "PATH", "/usr/bin:/bin",
        "KUBECACHEDIR", "/dev/null/none",
        "HELM_DRIVER", "secret",
        "HELM_CACHE_HOME", home.resolve("cache").toString(),
        "HELM_CONFIG_HOME", home.resolve("config").toString(),
        "HELM_DATA_HOME", home.resolve("data").toString(),
        "HELM_PLUGINS", home.resolve("plugins").toString());
  }
}
