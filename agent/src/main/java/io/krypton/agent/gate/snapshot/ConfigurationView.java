package io.krypton.agent.gate.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration in use and, if the file says something else by now, the one that is not.
 *
 * @param inUse null until a first one was loaded
 */
public record ConfigurationView(@Nullable InUse inUse, @Nullable Waiting waiting) {
  public static final ConfigurationView NOTHING_READ = new ConfigurationView(null, null);

  /** A configuration whose providers are judged. */
  public record InUse(String hash, Instant loadedAt) {}

  /**
   * What the file holds meanwhile.
   *
   * @param hash empty if the file cannot be read
   * @param why what is wrong with it, or what it waits for
   * @param invalid whether an API server would not start with it
   * @param since of the monotonic clock
   * @param grace how long waiting is nothing to complain about
   */
  public record Waiting(String hash, String why, boolean invalid, Duration since, Duration grace) {}

  /** What the check of the configuration says at a moment; empty if it is content. */
  public Optional<String> complaint(Duration now) {
    if (inUse == null) {
      return Optional.of(
          "no valid configuration: " + (waiting == null ? "not read yet" : waiting.why()));
    }
    if (waiting == null
        || (!waiting.invalid() && now.minus(waiting.since()).compareTo(waiting.grace()) <= 0)) {
      return Optional.empty();
    }
    return Optional.of(
        "configuration %s not in use: %s (serving %s since %s)"
            .formatted(
                waiting.hash().isEmpty() ? "(unreadable)" : waiting.hash(),
                waiting.why(),
                inUse.hash(),
                ProviderState.seconds(inUse.loadedAt())));
  }

  /** The hash in use, or else the one that was read last; may be empty. */
  public String hash() {
    return inUse != null ? inUse.hash() : waiting == null ? "" : waiting.hash();
  }
}
