package io.krypton.cli.operator;

import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The one chart that is rolled out, and its central values. */
public final class ChartOptions {
  @Option(
      names = "--chart-repo",
      paramLabel = "URL",
      description = "Where the chart is: http(s) index repository, oci://…, directory or .tgz.")
  String repo = "https://charts.jetstack.io";

  @Option(names = "--chart-name", paramLabel = "NAME", description = "Name of the chart.")
  String name = "cert-manager";

  @Option(
      names = "--chart-version",
      paramLabel = "VERSION",
      description = "Exact SemVer; empty = the newest stable one at start.")
  String version = "1.19.1";

  @Option(
      names = "--chart-values-file",
      paramLabel = "FILE",
      description = "Central values (YAML), read at start.")
  @Nullable Path valuesFile;

  @Option(
      names = "--chart-install-crds",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "Value installCRDs, for charts that know it.")
  boolean installCrds = true;

  @Option(
      names = "--allow-chart-skip",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "A chart that cannot be loaded does not put an object into Error.")
  boolean allowSkip;

  /**
   * The chart itself.
   *
   * @throws IllegalArgumentException with a text for users
   */
  public ChartRef reference() {
    return ChartRef.of(repo, name, version);
  }

  /**
   * What the values file holds.
   *
   * @throws IllegalArgumentException with a text for users
   */
  public Values centralValues() {
    return OperatorSettings.readValues(valuesFile);
  }

  /** What Tenants get beneath their values. */
  public BaseValue beneathTenants() {
    return BaseValue.installCrds(installCrds);
  }
}
