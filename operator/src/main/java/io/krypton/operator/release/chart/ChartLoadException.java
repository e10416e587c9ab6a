// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

/** Ends an attempt from any depth with its result; it does not leave this package. */
final class ChartLoadException extends Exception {
  private final transient ChartResult result;

  ChartLoadException(ChartResult result) {
    super(result.describe(), null, false, false);
    this.result = result;
  }

  static ChartLoadException notLoaded(String message) {
    return new ChartLoadException(new ChartResult.NotLoaded(message));
  }

  static ChartLoadException notFound(String message) {
    return new ChartLoadException(new ChartResult.VersionNotFound(message));
  }

  ChartResult result() {
    return result;
  }
}
