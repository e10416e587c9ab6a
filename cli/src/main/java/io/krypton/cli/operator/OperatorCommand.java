// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import io.krypton.base.settings.SettingsFile;
import io.krypton.cli.operator.DiscoveryOptions.HomeOptions;
import io.krypton.cli.settings.FlagDefaults;
import io.krypton.operator.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton operator}. */
@Command(
    name = "operator",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "Rolls out one chart for every Tenant and every KryptonDeployment.",
      "A Tenant gets it on the engaged cluster that holds it, a KryptonDeployment of the home",
      "cluster on the cluster of its region."
    })
public final class OperatorCommand implements Callable<Integer> {
  /** Names that older manifests use, by flag. */
  private static final Map<String, List<String>> OLDER_VARIABLES =
      Map.ofEntries(
          Map.entry("allow-chart-skip", List.of("ALLOW_CHART_SKIP")),
          Map.entry("namespace", List.of("WATCH_NAMESPACE", "POD_NAMESPACE")),
          Map.entry("kubeconfig-label", List.of("KUBECONFIG_SECRET_LABEL")),
          Map.entry("kubeconfig-key", List.of("KUBECONFIG_SECRET_KEY")),
          Map.entry("watch-kubeconfig", List.of("WATCH_KUBECONFIG", "WATCH_CLUSTER_KUBECONFIG")),
          Map.entry("watch-context", List.of("WATCH_CONTEXT")),
          Map.entry("watch-kubeconfig-secret", List.of("WATCH_KUBECONFIG_SECRET")),
          Map.entry(
              "watch-kubeconfig-secret-namespace", List.of("WATCH_KUBECONFIG_SECRET_NAMESPACE")),
          Map.entry("watch-kubeconfig-secret-key", List.of("WATCH_KUBECONFIG_SECRET_KEY")),
          Map.entry("ensure-watch-crds", List.of("ENSURE_WATCH_CRDS")),
          Map.entry("watch-namespaces", List.of("WATCH_NAMESPACES")),
          Map.entry("kubeconfig", List.of("KUBECONFIG")));

  private static final Logger log = LoggerFactory.getLogger(OperatorCommand.class);
  private static final Duration SHUTDOWN_LIMIT = Duration.ofMillis(4500);
  private static final int TERMINATED = 128 + 15;

  @Mixin private final ChartOptions chart = new ChartOptions();
  @Mixin private final HomeOptions home = new HomeOptions();
  @Mixin private final DiscoveryOptions discovery = new DiscoveryOptions();
  @Mixin private final RolloutOptions rollout = new RolloutOptions();
  @Mixin private final ProcessOptions process = new ProcessOptions();
  @Mixin private final KmsOptions kms = new KmsOptions();
  @Mixin private final TlsOptions tls = new TlsOptions();
  @Spec private CommandSpec spec;

  /** Names under which older manifests give a flag its value. */
  public static List<String> olderVariables(String flag) {
    return OLDER_VARIABLES.getOrDefault(flag, List.of());
  }

  /** What gives flags their values when they are not on the command line. */
  public static FlagDefaults defaults(Map<String, String> environment, SettingsFile file) {
    return new FlagDefaults("KRYPTON_", environment, OLDER_VARIABLES, file, log::warn);
  }

  @Override
  public Integer call() throws InterruptedException {
    quietenLibraries();
    setUpLog();
    var operator = newOperator();
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("shutdown")
                .unstarted(
                    () -> {
                      limitShutdown();
                      operator.close();
                    }));
    operator.start();
    operator.awaitClosed();
    return 0;
  }

  private Operator newOperator() {
    try {
      return new Operator(
          new OperatorOptions(
                  chart,
                  home,
                  discovery,
                  rollout,
                  process,
                  kms,
                  tls,
                  spec.commandLine().getParseResult()::hasMatchedOption,
                  version(),
                  System.getenv())
              .toSettings());
    } catch (IllegalArgumentException bad) {
      throw new ParameterException(spec.commandLine(), String.valueOf(bad.getMessage()), bad);
    }
  }

  /** From the manifest of the jar. */
  private static String version() {
    return Optional.ofNullable(OperatorCommand.class.getPackage().getImplementationVersion())
        .orElse("unknown");
  }

  /** Several clusters that hang at once must not make a stop take longer than is promised. */
  private static void limitShutdown() {
    Thread.ofPlatform()
        .daemon()
        .name("shutdown limit")
        .start(
            () -> {
              try {
                Thread.sleep(SHUTDOWN_LIMIT);
                log.warn("graceful shutdown timed out");
                Runtime.getRuntime().halt(TERMINATED);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void setUpLog() {
    var level = Level.toLevel(process.logLevel, null);
    if (level == null) {
      throw new ParameterException(
          spec.commandLine(),
          "--log-level %s: use debug, info, warn or error".formatted(process.logLevel));
    }
    root().setLevel(level);
    switch (process.logFormat) {
      case "text", "console" -> {}
      case "json" -> writeJson();
      default ->
          throw new ParameterException(
              spec.commandLine(), "--log-format %s: use text or json".formatted(process.logFormat));
    }
  }

  private static void writeJson() {
    root()
        .iteratorForAppenders()
        .forEachRemaining(
            appender -> {
              if (appender instanceof OutputStreamAppender<ILoggingEvent> stream) {
                var encoder = new JsonEncoder();
                encoder.setContext(context());
                encoder.start();
                stream.setEncoder(encoder);
              }
            });
  }

  /**
   * They log each failed attempt of a watch with its stack; we tell the same in one line, and
   * seldom. A watch that the server refuses, with 429 or 503 for example, is an ERROR to them at
   * each attempt.
   */
  static void quietenLibraries() {
    context().getLogger("io.fabric8.kubernetes.client").setLevel(Level.ERROR);
    context()
        .getLogger("io.fabric8.kubernetes.client.dsl.internal.AbstractWatchManager")
        .setLevel(Level.OFF);
  }

  private static ch.qos.logback.classic.Logger root() {
    return context().getLogger(Logger.ROOT_LOGGER_NAME);
  }

  private static LoggerContext context() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }
}
