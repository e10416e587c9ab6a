// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.api.rollout.ClassRules;
import io.krypton.api.tenantclass.RolloutPolicy;
import io.krypton.api.tenantclass.RolloutPolicy.Approval;
import io.krypton.api.tenantclass.RolloutPolicy.WaveSpec;
import io.krypton.base.crypto.Sha256;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The waves of one rollout, the last one included, and who belongs to which. That depends on a
 * target alone, so one that comes or goes moves nobody else.
 */
public final class WavePlan {
  private static final int BUCKETS = 10_000;
  private static final BigInteger BUCKET_COUNT = BigInteger.valueOf(BUCKETS);
  private static final BigDecimal BUCKETS_PER_PERCENT = BigDecimal.valueOf(100);

  private final String hashPrefix;
  private final List<Wave> waves;

  private WavePlan(String hashPrefix, List<Wave> waves) {
    this.hashPrefix = hashPrefix;
    this.waves = waves;
  }

  /** One wave, with defaults filled in. */
  record Wave(
      String name,
      @Nullable WaveSpec spec,
      int share,
      int maxConcurrent,
      Duration soak,
      boolean approval) {
    private boolean selects(ObservedTarget target) {
      return spec == null
          || ((spec.clusters() == null || spec.clusters().matches(target.cluster().labels()))
              && (spec.tenants() == null || spec.tenants().matches(target.labels())));
    }
  }

  public static WavePlan of(String className, String rollout, RolloutPolicy policy) {
    var waves = new ArrayList<Wave>();
    for (var spec : policy.waves()) {
      waves.add(
          new Wave(
              spec.name(),
              spec,
              bucketsOf(spec.share()),
              spec.maxConcurrent() == null ? policy.maxConcurrent() : spec.maxConcurrent(),
              spec.soak() == null ? Duration.ZERO : spec.soak().value(),
              spec.approval() == Approval.REQUIRED));
    }
    waves.add(
        new Wave(
            ClassRules.LAST_WAVE, null, BUCKETS, policy.maxConcurrent(), Duration.ZERO, false));
    return new WavePlan(className + "|" + rollout + "|", List.copyOf(waves));
  }

  private static int bucketsOf(@Nullable String share) {
    return share == null
        ? BUCKETS
        : new BigDecimal(share.replace("%", "")).multiply(BUCKETS_PER_PERCENT).intValue();
  }

  public int size() {
    return waves.size();
  }

  Wave wave(int index) {
    return waves.get(index);
  }

  public String name(int index) {
    return waves.get(index).name;
  }

  /** Where the wave of this name is; the first one if there is none. */
  int indexOf(@Nullable String name) {
    for (int i = 0; i < waves.size(); i++) {
      if (waves.get(i).name.equals(name)) {
        return i;
      }
    }
    return 0;
  }

  /** For people: {@code wave 2 of 4 (tenth)}. */
  String describe(int index) {
    return "wave %d of %d (%s)".formatted(index + 1, waves.size(), name(index));
  }

  /** The first wave whose selectors match and, if it has a share, whose bucket the target is in. */
  public int waveOf(ObservedTarget target) {
    int bucket = -1;
    for (int i = 0; i < waves.size() - 1; i++) {
      var wave = waves.get(i);
      if (!wave.selects(target)) {
        continue;
      }
      if (wave.share < BUCKETS && bucket < 0) {
        bucket = bucketOf(target.key());
      }
      if (wave.share == BUCKETS || bucket < wave.share) {
        return i;
      }
    }
    return waves.size() - 1;
  }

  /** The same for all waves of a rollout, so that shares add up; another one in each rollout. */
  int bucketOf(TargetKey target) {
    var digest = Sha256.digest((hashPrefix + target.path()).getBytes(UTF_8));
    return new BigInteger(1, digest).mod(BUCKET_COUNT).intValue();
  }
}
