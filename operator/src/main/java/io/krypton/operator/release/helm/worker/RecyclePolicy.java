// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import java.time.Duration;
import java.util.Optional;

/**
 * When a worker is replaced by a fresh one: a leak of any kind ends with its process.
 *
 * @param operations after so many
 * @param bytes when it holds more memory than that
 * @param rest how old it must be, unless it has done its operations
 */
record RecyclePolicy(int operations, long bytes, Duration rest) {
  private static final int MANY_OPERATIONS = 10_000;

  /** What a worker has besides the memory that its language looks after: mostly its program. */
  private static final long BESIDES_LIMIT = 64;

  /** For a worker that may have so many megabytes. */
  static RecyclePolicy standard(int megabytes) {
    return new RecyclePolicy(
        MANY_OPERATIONS, (megabytes + BESIDES_LIMIT) << 20, Duration.ofMinutes(1));
  }

  /** Why a worker of this age and these answers is to be replaced. */
  Optional<RestartReason> reason(Duration age, int answers, WorkerResponse last) {
    if (answers >= operations) {
      return Optional.of(RestartReason.OPERATIONS);
    }
    if (age.compareTo(rest) < 0) {
      return Optional.empty();
    }
    if (last.residentBytes() > bytes) {
      return Optional.of(RestartReason.MEMORY);
    }
    return last.lingering() > 0 ? Optional.of(RestartReason.STUCK) : Optional.empty();
  }
}
