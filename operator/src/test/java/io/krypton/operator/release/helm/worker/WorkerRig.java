// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Limits;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.worker.TestingWorker.Launches;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** An engine with workers of this JVM and a clock that stands still. */
final class WorkerRig implements AutoCloseable {
  /** Nothing is replaced but by a crash. */
  static final RecyclePolicy NEVER =
      new RecyclePolicy(Integer.MAX_VALUE, Long.MAX_VALUE, Duration.ofDays(1));

  private final Launches launches;
  private final List<RestartReason> replaced = new CopyOnWriteArrayList<>();
  private final AtomicLong nanos = new AtomicLong();
  private final WorkerEngine engine;
  private final HelmFiles files;

  WorkerRig(Path directory, TestingWorker... workers) {
    this(directory, NEVER, workers);
  }

  WorkerRig(Path directory, RecyclePolicy policy, TestingWorker... workers) {
    this.launches = new Launches(workers);
    var limits = new Limits(new ConcurrencyLimits(8, 8), 128);
    var settings =
        new HelmSettings(
            new Programs(EngineChoice.WORKER, "none", "none"),
            directory.resolve("data"),
            limits,
            limits,
            5,
            Duration.ofMillis(100),
            Duration.ofSeconds(3),
            Map.of());
    this.files = new HelmFiles(settings.dataDir());
    this.engine =
        new WorkerEngine(
            settings,
            files,
            new WorkerSupervisor(
                new WorkerStarter(launches, 128), policy, replaced::add, nanos::get));
  }

  WorkerEngine engine() {
    return engine;
  }

  Launches launches() {
    return launches;
  }

  /** Why workers were replaced. */
  List<RestartReason> replaced() {
    return replaced;
  }

  void timePasses(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  TestOperations release() {
    return release("r");
  }

  TestOperations release(String name) {
    return TestOperations.on("edge", "acme", name, "users: [{user: {token: hunter2}}]");
  }

  CompletableFuture<HelmResult> start(HelmOperation operation) {
    var result = new CompletableFuture<HelmResult>();
    Thread.startVirtualThread(() -> result.complete(engine.run(operation)));
    return result;
  }

  /** A worker that is never done before it is asked to end something. */
  static void answerOnlyCancel(TestingWorker worker, JsonNode request) {
    if (request.path("method").asText().equals("cancel")) {
      worker.answerCancelled(request);
    }
  }

  @Override
  public void close() {
    engine.close();
    files.close();
  }
}
