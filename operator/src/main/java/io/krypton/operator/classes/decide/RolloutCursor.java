// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.util.Objects.requireNonNullElse;

import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.chartrollout.ChartRolloutStatus.WaveStatus;
import io.krypton.api.time.JsonDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of the status that is remembered, while one decision moves it. */
final class RolloutCursor {
  private final WavePlan plan;
  private final List<Times> waves = new ArrayList<>();
  private ChartRolloutPhase phase;
  private int wave;
  private @Nullable Instant startedAt;
  private @Nullable Instant completedAt;
  private @Nullable Instant rollbackStartedAt;
  private @Nullable Instant retriedAt;

  RolloutCursor(WavePlan plan, ChartRolloutStatus status) {
    this.plan = plan;
    phase = requireNonNullElse(status.phase(), ChartRolloutPhase.PENDING);
    wave = plan.indexOf(status.wave());
    startedAt = status.startedAt();
    completedAt = status.completedAt();
    rollbackStartedAt = status.rollbackStartedAt();
    retriedAt = status.retriedAt();
    for (int i = 0; i < plan.size(); i++) {
      waves.add(Times.of(plan.name(i), status.waves()));
    }
  }

  /** When one wave began, was ready and passed. */
  record Times(
      @Nullable Instant startedAt,
      @Nullable Instant readySince,
      Duration soaked,
      @Nullable Instant endedAt) {
    private static Times of(String name, List<WaveStatus> stored) {
      return stored.stream()
          .filter(wave -> wave.name().equals(name))
          .findFirst()
          .map(
              wave ->
                  new Times(
                      wave.startedAt(),
                      wave.readySince(),
                      wave.soaked() == null ? Duration.ZERO : wave.soaked().value(),
                      wave.endedAt()))
          .orElseGet(() -> new Times(null, null, Duration.ZERO, null));
    }

    @Nullable JsonDuration soakedOrNull() {
      return soaked.isZero() ? null : new JsonDuration(soaked);
    }
  }

  ChartRolloutPhase phase() {
    return phase;
  }

  void become(ChartRolloutPhase next) {
    phase = next;
  }

  /** The last phase; nothing follows. */
  void end(ChartRolloutPhase last, Instant now) {
    phase = last;
    completedAt = now;
  }

  int wave() {
    return wave;
  }

  Times times(int index) {
    return waves.get(index);
  }

  @Nullable Instant startedAt() {
    return startedAt;
  }

  @Nullable Instant completedAt() {
    return completedAt;
  }

  @Nullable Instant rollbackStartedAt() {
    return rollbackStartedAt;
  }

  @Nullable Instant retriedAt() {
    return retriedAt;
  }

  boolean isRollingBack() {
    return rollbackStartedAt != null;
  }

  /** Whether the cursor is behind this wave, in the direction in which it goes. */
  boolean hasPassed(int index) {
    return switch (phase) {
      case COMPLETED, ROLLED_BACK -> true;
      default -> isRollingBack() ? index > wave : index < wave;
    };
  }

  void startWave(Instant now) {
    startedAt = requireNonNullElse(startedAt, now);
    var times = waves.get(wave);
    waves.set(wave, new Times(now, times.readySince, times.soaked, times.endedAt));
  }

  void waveIsReady(@Nullable Instant since) {
    var times = waves.get(wave);
    waves.set(wave, new Times(times.startedAt, since, Duration.ZERO, times.endedAt));
  }

  void waveHasSoaked(Instant since, Duration soaked) {
    var times = waves.get(wave);
    waves.set(wave, new Times(times.startedAt, since, soaked, times.endedAt));
  }

  /** False if it was the last wave. */
  boolean passWave(Instant now) {
    var times = waves.get(wave);
    waves.set(wave, new Times(times.startedAt, times.readySince, times.soaked, now));
    if (wave + 1 == plan.size()) {
      return false;
    }
    wave++;
    return true;
  }

  /** Waves go back from the last one on: a promoted target may be in any. */
  void startRollback(Instant now) {
    rollbackStartedAt = now;
    wave = plan.size() - 1;
  }

  /** False if it was the first wave. */
  boolean passWaveBackwards() {
    if (wave == 0) {
      return false;
    }
    wave--;
    return true;
  }

  /** What failed gets its deadline anew, and the wave must become ready and soak again. */
  void retry(Instant now) {
    retriedAt = now;
    waveIsReady(null);
  }
}
