// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.cli.fleet.FleetOptions;
import io.krypton.cli.operator.ChartOptions;
import io.krypton.cli.operator.HelmOptions;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.CliException;
import io.krypton.cli.view.OutputOptions.Documents;
import io.krypton.cli.view.Progress;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.Terminal;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.RepoChartLoader;
import io.krypton.operator.release.chart.RepoCredentials;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.MemoryPlan;
import io.krypton.operator.release.helm.choice.ChosenEngine;
import io.krypton.operator.release.values.ChartValues;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code krypton plan}. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    sortOptions = false,
    description = {
      "Shows what an operator with these chart flags would change.",
      "That is: which releases it would install or upgrade, how their objects would change, which"
          + " of",
      "them live differently from what the release says, and which ones the server would refuse."
          + " It",
      "asks the server by dry runs; nothing is changed. Hooks are left out, and charts that look"
          + " up",
      "live objects are rendered as if there were none. Flags that are not given come from",
      "KRYPTON_ variables and from the file of --config, as with krypton operator."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:planned; with --exit-code: and nothing would change",
      "1:a cluster, the chart or a release cannot be read or rendered, or would be refused",
      "2:bad usage or kubeconfig",
      "3:with --exit-code: something would change"
    })
public final class PlanCommand implements Callable<Integer> {
  static final int CHANGES = 3;
  private static final Duration CHART_LIMIT = Duration.ofMinutes(1);

  @Mixin private final ChartOptions chart = new ChartOptions();
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final FleetOptions discovery = new FleetOptions();

  @Option(names = "--config", paramLabel = "FILE", description = "Settings file of the operator.")
  @Nullable Path config; // Read before the arguments are parsed.

  @Option(
      names = "--watch-namespaces",
      paramLabel = "LIST",
      description = "Comma list of namespaces whose objects count, as the operator has it.")
  private String watchNamespaces = "";

  @Option(
      names = {"-l", "--selector"},
      paramLabel = "SELECTOR",
      description = "Only objects with these labels.")
  private String selector = "";

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description = "Only this cluster; may be repeated.")
  private List<String> clusters = new ArrayList<>();

  @Option(
      names = "--as-cluster",
      paramLabel = "NAME",
      description =
          "Plan for the Tenants of this context's cluster, which the operator knows as NAME.")
  private @Nullable String asCluster;

  @Option(names = "--no-diff", description = "Only say which releases would change.")
  private boolean noDiff;

  @Option(names = "--exit-code", description = "End with 3 if something would change.")
  private boolean exitCode;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "${COMPLETION-CANDIDATES}.")
  private Format format = Format.text;

  @Mixin private final HelmOptions helm = new HelmOptions();

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      description = "Chart cache and temporary files.")
  private Path dataDir = Path.of(System.getProperty("java.io.tmpdir"), "krypton");

  @Spec private CommandSpec spec;

  /** Lower case as users write it. */
  enum Format {
    text,
    json,
    yaml
  }

  @Override
  public Integer call() throws InterruptedException {
    ChartRef reference;
    ChartValues central;
    try {
      reference = chart.reference();
      central = chart.centralValues();
    } catch (IllegalArgumentException bad) {
      throw CliException.usage(String.valueOf(bad.getMessage()));
    }
    return access.use(home -> plan(home, reference, central));
  }

  private int plan(Session home, ChartRef reference, ChartValues central)
      throws InterruptedException {
    var settings =
        HelmSettings.defaults(
            helm.toPrograms(), dataDir, MemoryPlan.ofThisProcess(), System.getenv());
    var credentials = credentials(home);
    try (var engine = new ChosenEngine(settings, WorkerListener.NONE);
        var sources =
            new RepoChartLoader(
                dataDir, engine.charts(), CHART_LIMIT, chart -> credentials, System.getenv())) {
      var planned = new PlannedChart(reference, sources);
      var problems = new ArrayList<String>();
      var plans = planAll(home, planned, central, engine.renderer(), problems);
      print(planned, plans, problems);
      return exit(plans, problems);
    }
  }

  private List<ReleasePlan> planAll(
      Session home,
      PlannedChart planned,
      ChartValues central,
      ChartRenderer renderer,
      List<String> problems)
      throws InterruptedException {
    try (var progress = startProgress()) {
      planned.version();
      var settings =
          new ClusterPlanner.Settings(
              planned,
              central,
              chart.beneathTenants(),
              new ReservedNamespaces(asCluster == null ? Set.of(home.namespace()) : Set.of()),
              namespaces(),
              selector,
              !noDiff);
      var planner = new ClusterPlanner(settings, renderer, progress);
      if (asCluster != null) {
        progress.label("planning " + asCluster);
        return planner.planTenants(asCluster, home.client());
      }
      progress.label("listing clusters");
      var fleet = new FleetPlanner(home, discovery, planner, selector, progress);
      var plans = fleet.plan(clusters);
      problems.addAll(fleet.problems());
      return plans;
    }
  }

  private Progress startProgress() {
    var err = spec.commandLine().getErr();
    return format == Format.text
        ? Progress.start(err, "reading the chart")
        : Progress.startOnTerminal(err, "reading the chart");
  }

  private RepoCredentials credentials(Session home) {
    try {
      return chart.credentials(home.namespace(), () -> Optional.of(home.client()));
    } catch (IllegalArgumentException bad) {
      throw CliException.usage(String.valueOf(bad.getMessage()));
    }
  }

  private void print(PlannedChart planned, List<ReleasePlan> plans, List<String> problems) {
    var out = spec.commandLine().getOut();
    switch (format) {
      case text ->
          PlanText.lines(planned.toString(), plans, Terminal.hasColours()).forEach(out::println);
      case json -> out.println(Documents.json(document(planned, plans, problems)));
      case yaml -> out.println(Documents.yaml(document(planned, plans, problems)));
    }
    out.flush();
    problems.forEach(spec.commandLine().getErr()::println);
  }

  private static Object document(
      PlannedChart planned, List<ReleasePlan> plans, List<String> problems) {
    var document = new LinkedHashMap<String, Object>();
    document.put("chart", planned.toString());
    document.put("releases", plans.stream().map(ReleasePlan::document).toList());
    document.put("problems", problems);
    return document;
  }

  private int exit(List<ReleasePlan> plans, List<String> problems) {
    if (!problems.isEmpty() || plans.stream().anyMatch(ReleasePlan::needsAttention)) {
      return 1;
    }
    return exitCode && plans.stream().anyMatch(plan -> plan.verdict().isChange()) ? CHANGES : 0;
  }

  private Set<String> namespaces() {
    var names =
        Stream.of(watchNamespaces.split(","))
            .map(String::strip)
            .filter(name -> !name.isEmpty())
            .collect(Collectors.toSet());
    return names.contains("*") ? Set.of() : names;
  }
}
