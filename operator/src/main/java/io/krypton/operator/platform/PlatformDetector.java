package io.krypton.operator.platform;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out in the background, for ever if need be. What is decided stays decided. */
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

  /** Somebody has said it: nothing is ever asked. */
  public static PlatformDetector given(Platform platform) {
    return new PlatformDetector(null, BETWEEN_DENIALS, () -> {}, new PlatformState.Given(platform));
  }

  /**
   * Detects after {@link #start}.
   *
   * @param changed told when the state is another one
   */
  public static PlatformDetector asking(ApiDiscovery discovery, Runnable changed) {
    return asking(discovery, BETWEEN_DENIALS, changed);
  }

  static PlatformDetector asking(Discovery discovery, Duration betweenDenials, Runnable changed) {
    return new PlatformDetector(
        discovery, betweenDenials, changed, new PlatformState.Unknown("not asked yet"));
  }

  public synchronized void start() {
    var asked = discovery;
    if (asked != null && thread == null) {
      thread = Thread.ofVirtual().name("platform").start(() -> untilDecided(asked));
    }
  }

  public PlatformState state() {
    return state;
  }

  private void untilDecided(Discovery asked) {
    var detection = Detection.BEGIN;
    try {
      while (true) {
        switch (next(asked, detection)) {
          case Detection.Step.Decided(var platform) -> {
            become(new PlatformState.Detected(platform));
            log.atInfo().addKeyValue("platform", platform.word()).log("platform detected");
            return;
          }
          case Detection.Step.Again(var further) -> detection = further;
          case Detection.Step.AskGroup(var further) -> detection = further;
        }
        Thread.sleep(detection.pause(betweenDenials, ThreadLocalRandom.current().nextDouble()));
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private Detection.Step next(Discovery asked, Detection detection) throws InterruptedException {
    try {
      var version = asked.version();
      note(version);
      if (detection.onVersion(version) instanceof Detection.Step.AskGroup(var further)) {
        var group = asked.group();
        note(group);
        return further.onGroup(group);
      }
      return detection.onVersion(version);
    } catch (RuntimeException bug) { // The loop must outlive it: nobody would start it again.
      log.error("the platform could not be asked for", bug);
      return detection.onVersion(new Discovery.Answer.Failed(bug.getClass().getSimpleName()));
    }
  }

  private void note(Discovery.Answer answer) {
    if (answer instanceof Discovery.Answer.Failed(var why)) {
      become(new PlatformState.Unknown(why));
    }
  }

  private void become(PlatformState next) {
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
}
