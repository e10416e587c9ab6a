// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import io.krypton.operator.platform.Platform.PlatformState;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Detects the platform in the background, with retries. A result never changes. */
public final class PlatformDetector implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PlatformDetector.class);
  private static final Duration BETWEEN_DENIALS = Duration.ofSeconds(5);

  private final @Nullable Discovery discovery;
  private final Duration betweenDenials;
  private final Runnable changed;
  private volatile PlatformState state;
  private @Nullable Thread thread;

  private PlatformDetector(
      @Nullable Discovery discovery,
      Duration betweenDenials,
      Runnable changed,
      PlatformState state) {
    this.discovery = discovery;
    this.betweenDenials = betweenDenials;
    this.changed = changed;
    this.state = state;
  }

  /** The platform is a setting: no request is sent. */
  public static PlatformDetector configured(Platform platform) {
    return new PlatformDetector(
        null, BETWEEN_DENIALS, () -> {}, new PlatformState.Configured(platform));
  }

  /**
   * Detects after {@link #start}.
   *
   * @param changed called when the state changes
   */
  public static PlatformDetector detecting(OpenShiftDiscovery discovery, Runnable changed) {
    return detecting(discovery, BETWEEN_DENIALS, changed);
  }

  static PlatformDetector detecting(
      Discovery discovery, Duration betweenDenials, Runnable changed) {
    return new PlatformDetector(
        discovery, betweenDenials, changed, new PlatformState.Unknown("not asked yet"));
  }

  public synchronized void start() {
    var asked = discovery;
    if (asked != null && thread == null) {
      thread = Thread.ofVirtual().name("platform").start(() -> detectUntilDecided(asked));
    }
  }

  public PlatformState state() {
    return state;
  }

  private void detectUntilDecided(Discovery asked) {
    var platformDetection = PlatformDetection.BEGIN;
    try {
      while (true) {
        switch (next(asked, platformDetection)) {
          case PlatformDetection.Step.Decided(var platform) -> {
            setState(new PlatformState.Detected(platform));
            log.atInfo().addKeyValue("platform", platform.value()).log("platform detected");
            return;
          }
          case PlatformDetection.Step.Again(var further) -> platformDetection = further;
          case PlatformDetection.Step.AskGroup(var further) -> platformDetection = further;
        }
        Thread.sleep(platformDetection.delay(betweenDenials, ThreadLocalRandom.current()));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private PlatformDetection.Step next(Discovery asked, PlatformDetection platformDetection)
      throws InterruptedException {
    try {
      var version = asked.checkVersion();
      recordFailure(version);
      if (platformDetection.onVersion(version)
          instanceof PlatformDetection.Step.AskGroup(var further)) {
        var group = asked.checkGroup();
        recordFailure(group);
        return further.onGroup(group);
      }
      return platformDetection.onVersion(version);
    } catch (RuntimeException bug) { // The loop must outlive it: nobody would start it again.
      log.error("platform detection failed", bug);
      return platformDetection.onVersion(
          new Discovery.DiscoveryResult.Failed(bug.getClass().getSimpleName()));
    }
  }

  private void recordFailure(Discovery.DiscoveryResult discoveryResult) {
    if (discoveryResult instanceof Discovery.DiscoveryResult.Failed(var why)) {
      setState(new PlatformState.Unknown(why));
    }
  }

  private void setState(PlatformState next) {
    if (!next.equals(state)) {
      state = next;
      changed.run();
    }
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The two questions that tell the platform; neither needs any right. */
  interface Discovery {
    /** Is {@code config.openshift.io/v1} served? */
    DiscoveryResult checkVersion() throws InterruptedException;

    /** Is the group listed at all, in any version? Never asked of an aggregated API. */
    DiscoveryResult checkGroup() throws InterruptedException;

    /** What the API server says; only the first two are answers of an API server in good health. */
    sealed interface DiscoveryResult {
      record Present() implements DiscoveryResult {}

      record Absent() implements DiscoveryResult {}

      record Failed(String why) implements DiscoveryResult {}
    }
  }
}
