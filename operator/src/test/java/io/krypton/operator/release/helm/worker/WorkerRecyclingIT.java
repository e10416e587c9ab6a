// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A worker that has done enough is replaced, and nobody notices. */
@ExtendWith(ControlPlaneExtension.class)
class WorkerRecyclingIT {
  private static final int RELEASES = 24;
  private static final Duration AT_ONCE = Duration.ZERO;

  private final List<RestartReason> replaced = new CopyOnWriteArrayList<>();

  @Test
  void under_load_after_a_few_operations(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws Exception {
    rollOutWith(new RecyclePolicy(5, Long.MAX_VALUE, AT_ONCE), namespace, directory);
    assertThat(replaced).isNotEmpty().containsOnly(RestartReason.OPERATIONS);
  }

  @Test
  void at_its_memory_limit(@Cluster("helm") TestNamespace namespace, @TempDir Path directory)
      throws Exception {
    rollOutWith(new RecyclePolicy(Integer.MAX_VALUE, 1 << 20, AT_ONCE), namespace, directory);
    assertThat(replaced).isNotEmpty().containsOnly(RestartReason.MEMORY);
  }

  private void rollOutWith(RecyclePolicy policy, TestNamespace namespace, Path directory)
      throws Exception {
    var settings = RealHelm.settings(directory, Engine.WORKER);
    try (var files = new HelmFiles(settings.dataDir())) {
      var program = new WorkerProgram(settings, files);
      var supervisor =
          new WorkerSupervisor(
              new WorkerStarter(program, 256), policy, replaced::add, System::nanoTime);
      try (var engine = new WorkerEngine(settings, files, supervisor)) {
        var results = new ArrayList<CompletableFuture<HelmResult>>();
        for (var i = 0; i < RELEASES; i++) {
          results.add(install(engine, namespace, "r" + i));
        }
        for (var result : results) {
          assertThat(result.get()).isInstanceOf(HelmResult.Done.class);
        }
        await().until(() -> engine.status().processes() <= 2);
        assertThat(engine.status().workerBytes()).isGreaterThan(1 << 20);
      }
    }
  }

  private static CompletableFuture<HelmResult> install(
      WorkerEngine engine, TestNamespace namespace, String release) {
    var operation =
        TestOperations.on(
                namespace.controlPlane().name(),
                namespace.name(),
                release,
                namespace.controlPlane().adminKubeconfig())
            .install(TestCharts.CONFIGMAP);
    var result = new CompletableFuture<HelmResult>();
    Thread.startVirtualThread(() -> result.complete(engine.run(operation)));
    return result;
  }
}
