package io.krypton.operator.helm;

import java.time.Duration;

/** Hears about every operation, for metrics. */
@FunctionalInterface
public interface HelmListener {
  HelmListener NONE = (operation, result, took) -> {};

  void finished(HelmOperation operation, HelmResult result, Duration took);
}
