// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.RepoAccess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A program that loads a chart by a proxy, as the JVM options it is started with allow. */
final class ProxyLoginMain {
  private ProxyLoginMain() {}

  /** Arguments: data directory, repository, file with authorities, proxy. */
  public static void main(String[] arguments) {
    ChartTool none =
        new ChartTool() {
          @Override
          public Result pull(String reference, String version, RepoAccess access, Path into) {
            return new Result.Unusable("no tool");
          }

          @Override
          public Result pack(Path directory, Path into) {
            return new Result.Unusable("no tool");
          }
        };
    var environment = Map.of("SSL_CERT_FILE", arguments[2], "HTTPS_PROXY", arguments[3]);
    try (var sources =
        new RepoChartLoader(
            Path.of(arguments[0]),
            none,
            Duration.ofSeconds(30),
            chart -> RepoCredentials.NONE,
            environment)) {
      System.out.println(sources.load(ChartRef.of(arguments[1], "web", "1.2.3")).value());
    }
  }
}
