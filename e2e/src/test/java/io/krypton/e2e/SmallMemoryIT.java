// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The operator in the memory that its chart grants, on a node with many processors. */
@ExtendWith(ControlPlaneExtension.class)
class SmallMemoryIT {
  private static final int TENANTS = 24;

  @TempDir Path directory;

  @Test
  void a_large_chart_is_rolled_out_within_the_limit_of_the_container(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    try (var group = ControlGroup.of(768)) {
      Fleet.namespace(home, "small");
      Fleet.namespace(edge, "small");
      Fleet.register(home, "small", "small-edge", edge.adminKubeconfig());
      var tenants = new Tenants(edge, "small", "small-edge");
      try (var operator =
          Operator.start(
              directory,
              home.adminKubeconfig(),
              group.launcher("-XX:ActiveProcessorCount=64"),
              "-namespace=small",
              "--self-cluster=never",
              "--data-dir=" + directory.resolve("data"),
              "--controllers=tenants",
              "--watch-namespaces=small",
              "-chart-repo=" + largeChart(),
              "-chart-name=large",
              "-chart-version=0.1.0")) {
        eventually("engaged", () -> assertThat(operator.hasEngaged("small-edge")).isTrue());
        for (var i = 1; i <= TENANTS; i++) {
          tenants.create("small-" + i, "{}");
        }
        eventually(
            "all are ready",
            () ->
                assertThat(tenants.all())
                    .as(operator.log())
                    .extracting(tenant -> tenant.at("/status/phase").asText())
                    .containsOnly("Ready"));
        assertThat(operator.log()).contains("helmProcesses=\"3\" helmMegabytes=\"7");
        eventually(
            "none had to be repeated",
            () ->
                assertThat(
                        operator.metric("krypton_helm_operations_total", "\"install\"", "\"done\""))
                    .isEqualTo(TENANTS));
        assertThat(operator.metric("krypton_helm_operations_total")).isEqualTo(TENANTS);
        assertThat(group.killed()).as("processes killed for want of memory").isZero();
        System.out.printf("at most %d MiB of 768%n", group.mostMegabytes());
      }
    }
  }

  /** 5 MB, most of which is a file that compresses well: a release is stored in a Secret. */
  private Path largeChart() throws IOException {
    var chart = directory.resolve("charts/large");
    Files.createDirectories(chart.resolve("templates"));
    Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: large\nversion: 0.1.0\n");
    Files.writeString(
        chart.resolve("templates/map.yaml"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: large}
        data: {size: "{{ len (.Files.Get "data.txt") }}"}
        """);
    var random = new Random(5);
    var block = new StringBuilder();
    while (block.length() < 1_000) {
      block.append(Long.toHexString(random.nextLong())).append('\n');
    }
    Files.writeString(
        chart.resolve("data.txt"), block.toString().repeat(5_000_000 / block.length()));
    return chart;
  }

  /** A limit of memory as a container has it, version 1 or 2. */
  private record ControlGroup(Path path, boolean first) implements AutoCloseable {
    static ControlGroup of(int megabytes) throws IOException {
      var one = Path.of("/sys/fs/cgroup/memory");
      var first = Files.isDirectory(one);
      var top = first ? one : Path.of("/sys/fs/cgroup");
      assumeTrue(Files.isWritable(top), "control groups can be made by root only");
      var path = top.resolve("krypton-it-" + ProcessHandle.current().pid());
      try {
        Files.createDirectory(path);
        var file = path.resolve(first ? "memory.limit_in_bytes" : "memory.max");
        Files.writeString(file, String.valueOf((long) megabytes << 20));
      } catch (IOException refused) {
        Files.deleteIfExists(path);
        assumeTrue(false, "control groups cannot be made here: " + refused);
      }
      return new ControlGroup(path, first);
    }

    /** Enters the group before anything of the program is started. */
    List<String> launcher(String javaOptions) {
      return List.of(
          "bash",
          "-c",
          "echo $$ > %s/cgroup.procs; export KRYPTON_JAVA_OPTS='%s'; exec \"$@\""
              .formatted(path, javaOptions),
          "operator");
    }

    long killed() throws IOException {
      try (var lines = Files.lines(path.resolve(first ? "memory.oom_control" : "memory.events"))) {
        return number(lines.filter(line -> line.startsWith("oom_kill ")));
      }
    }

    long mostMegabytes() throws IOException {
      try (var lines =
          Files.lines(path.resolve(first ? "memory.max_usage_in_bytes" : "memory.peak"))) {
        return number(lines) >> 20;
      }
    }

    private static long number(Stream<String> lines) {
      return lines.mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
    }

    /** A group goes once its last process has. */
    @Override
    public void close() {
      eventually("left by all", () -> Files.deleteIfExists(path));
    }
  }
}
