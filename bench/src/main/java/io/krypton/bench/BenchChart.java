package io.krypton.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small chart of a few objects that need no node. */
final class BenchChart {
  static final String NAME = "bench";
  static final String VERSION = "1.0.0";

  private BenchChart() {}

  static Path write(Path parent) throws IOException {
    var chart = Files.createDirectories(parent.resolve("chart/" + NAME));
    Files.createDirectory(chart.resolve("templates"));
    Files.writeString(
        chart.resolve("Chart.yaml"),
        "apiVersion: v2\nname: %s\nversion: %s\n".formatted(NAME, VERSION));
    Files.writeString(chart.resolve("values.yaml"), "message: hello\n");
    Files.writeString(
        chart.resolve("templates/objects.yaml"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: bench}
        data: {message: "{{ .Values.message }}"}
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
        """);
    return chart;
  }
}
