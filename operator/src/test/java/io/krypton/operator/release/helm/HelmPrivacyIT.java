// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

@ExtendWith(ControlPlaneExtension.class)
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class HelmPrivacyIT {
  private final Engine which;

  HelmPrivacyIT(Engine which) {
    this.which = which;
  }

  @Test
  void no_process_shows_values_or_credentials_and_no_file_keeps_them(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws Exception {
    try (var helm = RealHelm.in(namespace, directory, which)) {
      var install = install(helm, TestCharts.HOOK);
      var running = new CompletableFuture<HelmResult>();
      var caller = Thread.startVirtualThread(() -> running.complete(helm.client().run(install)));
      await().atMost(Duration.ofSeconds(30)).until(() -> helm.waitsForHook("r"));
      var credentials = install.target().kubeconfig().get().secrets();
      assertThat(credentials).isNotEmpty();
      assertThat(ProcessHandle.current().descendants().map(it -> it.info().command().orElse("")))
          .contains(which.program().toString());
      for (var process : ProcessHandle.current().descendants().toList()) {
        assertHidden(shown(process, "cmdline") + shown(process, "environ"), credentials);
      }
      if (which == Engine.WORKER) {
        assertHidden(contentIn(directory), credentials);
      } else {
        assertThat(contentIn(directory)).contains("swordfish").contains(credentials);
      }
      caller.interrupt();
      assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
      assertHidden(contentIn(directory), credentials);
    }
  }

  @Test
  void no_log_line_holds_values_or_credentials(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) {
    var root = (Logger) LoggerFactory.getLogger("io.krypton.operator.release.helm");
    var lines = new ListAppender<ILoggingEvent>();
    var level = root.getLevel();
    lines.start();
    root.addAppender(lines);
    root.setLevel(Level.TRACE);
    try (var helm = RealHelm.in(namespace, directory, which)) {
      var install = install(helm, TestCharts.WORKLOAD);
      assertThat(helm.client().run(install)).isInstanceOf(HelmResult.Failed.class);
      var credentials = install.target().kubeconfig().get().secrets();
      assertHidden(
          List.copyOf(lines.list).stream()
              .map(ILoggingEvent::getFormattedMessage)
              .collect(Collectors.joining("\n")),
          credentials);
    } finally {
      root.setLevel(level);
      root.detachAppender(lines);
    }
  }

  /** Its values are refused by the cluster, with a message that repeats them. */
  private static Install install(RealHelm helm, Path chart) {
    var values =
        ChartValues.of(
                Map.of(
                    "text", "swordfish", "extra", Map.of("strategy", Map.of("type", "swordfish"))))
            .asSecret();
    return new Install(helm.release("r").target(), TestOperations.rollout(chart, values, 1));
  }

  private static void assertHidden(String text, Set<String> credentials) {
    assertThat(text).doesNotContain("swordfish");
    assertThat(credentials).noneMatch(text::contains);
  }

  private static String shown(ProcessHandle process, String file) throws IOException {
    var path = Path.of("/proc", Long.toString(process.pid()), file);
    return Files.exists(path) ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8) : "";
  }

  private static String contentIn(Path directory) throws IOException {
    var content = new StringBuilder();
    try (var files = Files.walk(directory.resolve("data"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        content.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
    return content.toString();
  }
}
