package io.krypton.operator.chart;

/** Ends an attempt from any depth with its result; it does not leave this package. */
final class LoadFailure extends Exception {
  private final transient ChartResult result;

  LoadFailure(ChartResult result) {
    super(result.sentence(), null, false, false);
    this.result = result;
  }

  static LoadFailure notLoaded(String message) {
    return new LoadFailure(new ChartResult.NotLoaded(message));
  }

  static LoadFailure notFound(String message) {
    return new LoadFailure(new ChartResult.VersionNotFound(message));
  }

  ChartResult result() {
    return result;
  }
}
