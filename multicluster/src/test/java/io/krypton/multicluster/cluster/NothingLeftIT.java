// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.management.HotSpotDiagnosticMXBean;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.TestNamespace;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** After many rounds of engaging and letting go, the process is as it was. */
@ExtendWith(ControlPlaneExtension.class)
class NothingLeftIT {
  private static final int ROUNDS = 10;
  private static final int CLUSTERS = 10;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void threads_and_heap_return_to_the_start_after_100_engagements(
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("home") TestNamespace home,
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("east") ControlPlane east,
      @TempDir Path directory)
      throws Exception {
    var kubeconfig = east.adminKubeconfig();
    try (var fleet = new Fleet(home)) {
      fleet.store("stays", kubeconfig, true);
      round(fleet, kubeconfig);
      var threads = threads();
      var heap = heapAfterCollection();

      for (int i = 0; i < ROUNDS; i++) {
        round(fleet, kubeconfig);
      }

      await().atMost(LIMIT).until(() -> threads() <= threads + 2);
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () ->
                  assertThat(virtualThreads(directory.resolve("dump-" + System.nanoTime())))
                      .anyMatch(name -> name.contains("cluster-stays"))
                      .noneMatch(name -> name.contains("cluster-c")));
      await()
          .atMost(LIMIT)
          .untilAsserted(() -> assertThat(heapAfterCollection() - heap).isLessThan(4L << 20));
    }
  }

  @Test
  void no_byte_of_a_kubeconfig_reaches_a_log(
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("home") TestNamespace home,
      @io.krypton.sandbox.junit.ControlPlaneExtension.Cluster("east") ControlPlane east) {
    var kubeconfig = east.adminKubeconfig();
    var log = capture();
    try (var fleet = new Fleet(home)) {
      round(fleet, kubeconfig);
      fleet.store("broken", kubeconfig.replace("client-key-data: ", "client-key-data: x"), true);
      fleet.events().await(ClusterEvent.Rejected.class, "broken", LIMIT);
      fleet.store("broken", kubeconfig.replace("users:", "users: ["), true);
      await()
          .atMost(LIMIT)
          .until(() -> fleet.events().all(ClusterEvent.Rejected.class, "broken").size() == 2);
    } finally {
      root().detachAppender(log);
      root().setLevel(Level.INFO);
    }

    assertThat(log.list).isNotEmpty();
    var secrets = Pattern.compile("-data: (\\S+)").matcher(kubeconfig);
    while (secrets.find()) {
      var encoded = secrets.group(1).substring(100, 140);
      var pem = new String(Base64.getDecoder().decode(secrets.group(1)), StandardCharsets.US_ASCII);
      var body = pem.lines().skip(2).findFirst().orElseThrow();
      assertThat(log.list)
          .allSatisfy(
              line ->
                  assertThat(line.getFormattedMessage() + line.getKeyValuePairs() + thrown(line))
                      .doesNotContain(encoded)
                      .doesNotContain(body));
    }
  }

  private static void round(Fleet fleet, String kubeconfig) {
    fleet.events().forget();
    for (int i = 0; i < CLUSTERS; i++) {
      fleet.store("c" + i, kubeconfig, true);
    }
    for (int i = 0; i < CLUSTERS; i++) {
      fleet.events().await(ClusterEvent.Engaged.class, "c" + i, LIMIT);
    }
    for (int i = 0; i < CLUSTERS; i++) {
      fleet.delete("c" + i);
    }
    await()
        .atMost(LIMIT)
        .until(
            () ->
                fleet.registry().clusters().stream()
                    .noneMatch(cluster -> cluster.name().value().matches("c\\d")));
  }

  /** The management interface does not count virtual threads; only a dump shows them. */
  private static List<String> virtualThreads(Path dump) throws Exception {
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
    return Files.readAllLines(dump).stream().filter(line -> line.startsWith("#")).toList();
  }

  private static int threads() {
    return ManagementFactory.getThreadMXBean().getThreadCount();
  }

  private static long heapAfterCollection() {
    var memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static ListAppender<ILoggingEvent> capture() {
    var appender = new ListAppender<ILoggingEvent>();
    appender.start();
    root().setLevel(Level.DEBUG);
    root().addAppender(appender);
    return appender;
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  private static String thrown(ILoggingEvent line) {
    var thrown = line.getThrowableProxy();
    return thrown == null ? "" : String.valueOf(thrown.getMessage());
  }
}
