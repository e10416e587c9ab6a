// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench;

import io.krypton.bench.report.Regression;
import io.krypton.bench.report.ResultFile;
import java.nio.file.Path;

/** Compares the figures of a run with those of an earlier one. Arguments: earlier, now. */
public final class CheckMain {
  private CheckMain() {}

  public static void main(String... arguments) throws Exception {
    var comparison =
        Regression.between(
            ResultFile.read(Path.of(arguments[0])), ResultFile.read(Path.of(arguments[1])));
    comparison.worse().forEach(it -> System.out.println("worse: " + it));
    System.out.println(
        "%d ratios compared with %s, %d of them more than 30 %% worse"
            .formatted(comparison.compared(), arguments[0], comparison.worse().size()));
    System.exit(comparison.isPassed() ? 0 : 1);
  }
}
