// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in use and, if the file says something else by now, the one that is not.
 *
 * @param inUse null until a first one was loaded
 */
public record ConfigurationStatus(@Nullable InUse inUse, @Nullable Pending pending) {
  public static final ConfigurationStatus NOT_READ = new ConfigurationStatus(null, null);

  /** A configuration whose providers are assessed. */
  public record InUse(String hash, Instant loadedAt) {}

  /**
   * What the file holds meanwhile.
   *
   * @param hash empty if the file cannot be read
   * @param reason what is wrong with it, or what it waits for
   * @param invalid whether an API server would not start with it
   * @param since of the monotonic clock
   * @param gracePeriod how long waiting is nothing to complain about
   */
  public record Pending(
      String hash, String reason, boolean invalid, Duration since, Duration gracePeriod) {}

  /** What the check of the configuration says at a moment; empty if it is content. */
  public Optional<String> error(Duration now) {
    if (inUse == null) {
      return Optional.of(
          "no valid configuration: " + (pending == null ? "not read yet" : pending.reason()));
    }
    if (pending == null
        || (!pending.invalid()
            && now.minus(pending.since()).compareTo(pending.gracePeriod()) <= 0)) {
      return Optional.empty();
    }
    return Optional.of(
        "configuration %s not in use: %s (serving %s since %s)"
            .formatted(
                pending.hash().isEmpty() ? "(unreadable)" : pending.hash(),
                pending.reason(),
                inUse.hash(),
                ProviderStatus.formatSeconds(inUse.loadedAt())));
  }

  /** The hash in use, or else the one that was read last; may be empty. */
  public String hash() {
    return inUse != null ? inUse.hash() : pending == null ? "" : pending.hash();
  }
}
