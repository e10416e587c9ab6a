// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.helm.HelmEngine.Readiness;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says early whether Helm can be used: in the log at start, and to whoever asks whether we are
 * ready. Nothing waits for it.
 */
public final class HelmCheck implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HelmCheck.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final HelmEngine engine;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Thread thread = Thread.ofVirtual().name("helm check").unstarted(this::awaitReady);

  /** Checks the engine now and until it is usable, not only when the first release needs it. */
  public HelmCheck(HelmEngine engine) {
    this.engine = engine;
  }

  public void start() {
    thread.start();
  }

  /** What keeps Helm from running, from the last check; costs nothing. */
  public Optional<String> problem() {
    return engine.problem();
  }

  private void awaitReady() {
    var logged = "";
    try {
      while (!closed.get()) {
        switch (engine.check()) {
          case Readiness.Ready(var version) -> {
            log.atInfo()
                .addKeyValue("engine", engine.status().engine())
                .log("Helm {} is used", version);
            return;
          }
          case Readiness.NotReady(var reason) -> {
            if (!reason.equals(logged) && !closed.get()) {
              log.atError().log("Helm cannot be used, nothing is rolled out: {}", reason);
              logged = reason;
            }
          }
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.set(true);
    thread.interrupt();
  }
}
