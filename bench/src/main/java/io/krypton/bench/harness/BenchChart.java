// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small chart of a few objects that need no node. */
public final class BenchChart {
  public static final String NAME = "bench";
  public static final String VERSION = "1.0.0";

  private static final String CONFIG =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: bench}
      data: {message: "{{ .Values.message }}"}
      """;

  private static final String WORKLOAD =
      """
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: bench}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: bench}
      spec:
        selector: {app: bench}
        ports: [{port: 80}]
      ---
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: bench}
      spec:
        replicas: 0
        selector: {matchLabels: {app: bench}}
        template:
          metadata: {labels: {app: bench}}
          spec:
            containers: [{name: bench, image: example.com/bench:1}]
      """;

  private BenchChart() {}

  /** Four objects, of which one is a workload; that one needs a controller manager. */
  public static Path write(Path parent) throws IOException {
    return write(parent, VERSION, "hello", CONFIG + WORKLOAD);
  }

  /** As {@link #write(Path)}, with another version and another message. */
  public static Path writeNext(Path parent, String version) throws IOException {
    return write(parent, version, "hello again", CONFIG + WORKLOAD);
  }

  /** Values that change one object. */
  public static String values(String message) {
    return "{\"message\":\"%s\"}".formatted(message);
  }

  /** One object that needs nobody. */
  public static Path writeSmall(Path parent) throws IOException {
    return write(parent, VERSION, "hello", CONFIG);
  }

  private static Path write(Path parent, String version, String message, String objects)
      throws IOException {
    var chart = Files.createDirectories(parent.resolve("chart-" + version + "/" + NAME));
    Files.createDirectories(chart.resolve("templates"));
    Files.writeString(
        chart.resolve("Chart.yaml"),
        "apiVersion: v2\nname: %s\nversion: %s\n".formatted(NAME, version));
    Files.writeString(chart.resolve("values.yaml"), "message: %s\n".formatted(message));
    Files.writeString(chart.resolve("templates/objects.yaml"), objects);
    return chart;
  }

  /** The flags of the operator that name it. */
  public static String[] flags(Path chart, String version) {
    return new String[] {
      "--chart-repo=" + chart, "--chart-name=" + NAME, "--chart-version=" + version
    };
  }
}
