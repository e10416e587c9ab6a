// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.choice;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.cli.CliEngine;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.worker.WorkerEngine;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine that flags ask for. Where they leave it open it is the worker if that can be used,
 * else the command line; the first of the two that is found usable stays.
 */
public final class ChosenEngine implements HelmEngine {
  private static final Logger log = LoggerFactory.getLogger(ChosenEngine.class);
  private static final String ASKED_FOR = "--helm-engine asks for it";

  private final HelmFiles files;
  private final HelmEngine worker;
  private final HelmEngine cli;
  private final AtomicReference<@Nullable Choice> choice = new AtomicReference<>();
  private volatile String problem = "not checked yet";

  private record Choice(HelmEngine engine, String reason) {}

  /** Also removes what an earlier run left behind when it was killed. */
  public ChosenEngine(HelmSettings settings, WorkerListener listener) {
    this(settings, new HelmFiles(settings.dataDir()), listener);
  }

  private ChosenEngine(HelmSettings settings, HelmFiles files, WorkerListener listener) {
    this(
        settings.programs().engine(),
        files,
        new WorkerEngine(settings, files, listener),
        new CliEngine(settings, files));
  }

  ChosenEngine(
      HelmSettings.EngineChoice asked, HelmFiles files, HelmEngine worker, HelmEngine cli) {
    this.files = files;
    this.worker = worker;
    this.cli = cli;
    switch (asked) {
      case AUTO -> {}
      case WORKER -> choice.set(new Choice(worker, ASKED_FOR));
      case CLI -> choice.set(new Choice(cli, ASKED_FOR));
    }
  }

  @Override
  public Readiness check() throws InterruptedException {
    var chosen = choice.get();
    return chosen == null ? choose() : chosen.engine.check();
  }

  private Readiness choose() throws InterruptedException {
    return switch (worker.check()) {
      case Readiness.Ready ready -> {
        var _ = choose(worker, "it can be used");
        yield ready;
      }
      case Readiness.NotReady(var whyNot) ->
          switch (cli.check()) {
            case Readiness.Ready ready -> {
              if (choose(cli, "the worker cannot be used: " + whyNot)) {
                worker.close();
              }
              yield ready;
            }
            case Readiness.NotReady(var whyNeither) -> {
              problem = "%s; %s".formatted(whyNeither, whyNot);
              yield new Readiness.NotReady(problem);
            }
          };
    };
  }

  /** Whether nobody has chosen meanwhile. */
  private boolean choose(HelmEngine engine, String reason) {
    if (!choice.compareAndSet(null, new Choice(engine, reason))) {
      return false;
    }
    log.atInfo()
        .addKeyValue("engine", engine.status().engine())
        .addKeyValue("reason", reason)
        .log("Helm engine chosen");
    return true;
  }

  /** Runs with the chosen engine, which is chosen now if nobody has needed one yet. */
  private <T> T with(Function<HelmEngine, T> use, Function<String, T> unusable, T stopped) {
    try {
      if (choice.get() == null && choose() instanceof Readiness.NotReady(var reason)) {
        return unusable.apply(reason);
      }
      var chosen = choice.get();
      return chosen == null ? stopped : use.apply(chosen.engine);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return stopped;
    }
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    return with(
        engine -> engine.run(operation), HelmResult.Unusable::new, new HelmResult.Stopped());
  }

  /** Before the choice: what the more modest one can take. */
  @Override
  public ConcurrencyLimits limits() {
    var chosen = choice.get();
    return chosen == null ? cli.limits() : chosen.engine.limits();
  }

  @Override
  public ChartTool charts() {
    return new ChartTool() {
      @Override
      public Result pull(String reference, String version, RepoAccess access, Path into) {
        return chart(tool -> tool.pull(reference, version, access, into));
      }

      @Override
      public Result pack(Path directory, Path into) {
        return chart(tool -> tool.pack(directory, into));
      }
    };
  }

  private ChartTool.Result chart(Function<ChartTool, ChartTool.Result> use) {
    return with(
        engine -> use.apply(engine.charts()),
        ChartTool.Result.Unusable::new,
        new ChartTool.Result.Failed("stopped"));
  }

  @Override
  public ChartRenderer renderer() {
    return request ->
        with(
            engine -> engine.renderer().render(request),
            ChartRenderer.RenderResult.Failed::new,
            new ChartRenderer.RenderResult.Failed("stopped"));
  }

  @Override
  public Optional<String> problem() {
    var chosen = choice.get();
    return chosen == null ? Optional.of(problem) : chosen.engine.problem();
  }

  @Override
  public EngineStatus status() {
    var chosen = choice.get();
    if (chosen == null) {
      return new EngineStatus("", problem, "", 0, 0);
    }
    var status = chosen.engine.status();
    return new EngineStatus(
        status.engine(), chosen.reason, status.version(), status.processes(), status.workerBytes());
  }

  @Override
  public String instance() {
    return files.instance();
  }

  @Override
  public boolean hasEnded(String instance) {
    return files.hasEnded(instance);
  }

  @Override
  public void stop(String cluster) {
    worker.stop(cluster);
    cli.stop(cluster);
  }

  @Override
  public void forget(String cluster) {
    worker.forget(cluster);
    cli.forget(cluster);
  }

  @Override
  public void close() {
    worker.close();
    cli.close();
    files.close();
  }
}
