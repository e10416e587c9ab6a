package io.krypton.bench;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Binary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The same {@code helm install} that the operator runs, without an operator. */
record PlainHelm(Path directory, Path chart, Path kubeconfig) {
  private static final String PROGRAM = Assets.fromEnvironment().find(Binary.HELM).toString();

  void install(String name, boolean validate) throws IOException, InterruptedException {
    var home = Files.createDirectory(directory.resolve(name));
    var values = Files.writeString(home.resolve("values.json"), "{}");
    var command =
        new ArrayList<>(
            List.of(
                PROGRAM,
                "install",
                "tenant-" + name + "-edge",
                chart.toString(),
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
    builder
        .environment()
        .putAll(
            Map.of(
                "HOME", home.toString(),
                "PATH", "/usr/bin:/bin",
                "KUBECACHEDIR", "/dev/null/none",
                "HELM_DRIVER", "secret",
                "HELM_CACHE_HOME", home.resolve("cache").toString(),
                "HELM_CONFIG_HOME", home.resolve("config").toString(),
                "HELM_DATA_HOME", home.resolve("data").toString(),
                "HELM_PLUGINS", home.resolve("plugins").toString()));
    var log = home.resolve("log").toFile();
    var exit = builder.redirectOutput(log).redirectErrorStream(true).start().waitFor();
    if (exit != 0) {
      throw new IllegalStateException("helm install failed: " + Files.readString(log.toPath()));
    }
  }
}
