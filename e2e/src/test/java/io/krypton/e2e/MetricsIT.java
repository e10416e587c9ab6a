// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What running programs expose is what docs/reference/metrics.md says, and nothing else. */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
class MetricsIT {
  private static final String NAMESPACE = "metrics";
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z_]+)` \\| (\\w+) \\| ([^|]*) \\| (.*) \\|");
  private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
  private static final Pattern HELP = Pattern.compile("(?m)^# HELP (\\S+) (.*)$");
  private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)\\{([^}]*)} ");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");

  @TempDir Path directory;

  /** A row of the page, or a family as it is exposed. */
  record Family(String name, String type, String help) {}

  @Test
  void the_operator_exposes_nothing_that_is_not_documented(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    Fleet.namespace(home, NAMESPACE);
    Fleet.register(home, NAMESPACE, "metrics-1", edge.adminKubeconfig());
    try (var operator = Operators.start(directory, home, NAMESPACE, "echo")) {
      Fleet.register(home, NAMESPACE, "metrics-odd", "users: [{user: {exec: {command: evil}}}]");
      eventually("engaged", () -> assertThat(operator.hasEngaged("metrics-1")).isTrue());
      Fleet.tenant(edge, "metrics-acme", "{\"clusterRef\":{\"secretName\":\"metrics-1\"}}");
      eventually(
          "rolled out",
          () ->
              assertThat(Fleet.phase(edge, "metrics-acme")).as(operator.log()).isEqualTo("Ready"));

      var page = operator.metrics("/metrics").body();

      assertThat(families(page))
          .contains(
              new Family(
                  "krypton_helm_operations_total",
                  "counter",
                  "Total Helm operations by cluster, operation and result."),
              new Family(
                  "krypton_cluster_up",
                  "gauge",
                  "1 while a cluster is engaged and reachable, else 0."))
          .isSubsetOf(documented("Operator"));
      assertThat(undocumentedLabels(page, "Operator")).isEmpty();
    } finally {
      Fleet.delete(edge, "metrics-acme");
    }
  }

  @Test
  void reporter_and_gate_expose_exactly_what_is_documented() throws Exception {
    var config =
        Files.writeString(
            directory.resolve("enc.yaml"),
            """
            apiVersion: apiserver.config.k8s.io/v1
            kind: EncryptionConfiguration
            resources:
            - resources: [secrets]
              providers:
              - kms: {apiVersion: v2, name: dev, endpoint: "unix://%s"}
            """
                .formatted(directory.resolve("none.sock")));
    exposes("Gate", "gate", "serve", "--encryption-provider-config=" + config);
    exposes(
        "Reporter",
        "reporter",
        "--kms-sockets=1=unix://" + directory.resolve("none.sock"),
        "--node-name=laptop",
        "--kubeconfig=/none");
  }

  private void exposes(String section, String... command) throws Exception {
    var address = "127.0.0.1:" + freePort();
    var all = new ArrayList<>(List.of(Shell.KRYPTON.toString()));
    all.addAll(List.of(command));
    all.add("--listen=" + address);
    var log = directory.resolve(section + ".log");
    var process = new Shell(directory).start(log, log, all.toArray(String[]::new));
    try {
      eventually(
          section,
          () -> assertThat(get(address)).as(Files.readString(log)).contains("# TYPE krypton_"));
      var page = get(address);
      assertThat(families(page)).isEqualTo(documented(section));
      assertThat(undocumentedLabels(page, section)).isEmpty();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static String get(String address) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(
              HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Without the longest of the last minutes, which each histogram of the operator brings along. */
  private static Set<Family> families(String page) {
    var help =
        HELP.matcher(page)
            .results()
            .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    return TYPE.matcher(page)
        .results()
        .filter(found -> !found.group(1).endsWith("_seconds_max"))
        .map(
            found ->
                new Family(
                    found.group(1),
                    found.group(2),
                    sentence(help.getOrDefault(found.group(1), ""))))
        .collect(Collectors.toSet());
  }

  private static String sentence(String help) {
    return help.endsWith(".") ? help : help + ".";
  }

  private static Set<Family> documented(String section) {
    return ROW.matcher(section(section))
        .results()
        .map(found -> new Family(found.group(1), found.group(2), found.group(4)))
        .collect(Collectors.toSet());
  }

  private static String section(String title) {
    return Arrays.stream(DocPages.text(Shell.ROOT, "docs/reference/metrics.md").split("\n## "))
        .filter(part -> part.startsWith(title + "\n"))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> undocumentedLabels(String page, String section) {
    var documented = new HashSet<String>();
    ROW.matcher(section(section))
        .results()
        .forEach(
            row ->
                Arrays.stream(row.group(3).replace("`", "").split(", "))
                    .forEach(label -> documented.add(row.group(1) + " " + label)));
    return SAMPLE
        .matcher(page)
        .results()
        .flatMap(
            sample ->
                LABEL
                    .matcher(sample.group(2))
                    .results()
                    .map(label -> label.group(1))
                    .filter(label -> !label.equals("le"))
                    .map(label -> family(sample.group(1)) + " " + label))
        .filter(used -> !documented.contains(used))
        .collect(Collectors.toSet());
  }

  private static String family(String series) {
    return series.replaceFirst("_(bucket|sum|count|max)$", "");
  }
}
