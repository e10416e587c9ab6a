// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says early whether Helm can be used: in the log at start, and to whoever asks whether we are
 * ready. Nothing waits for it.
 */
public final class HelmCheck implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HelmCheck.class);
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final HelmRunner runner;
  private final Thread thread = Thread.ofVirtual().name("helm check").unstarted(this::awaitUsable);

  HelmCheck(HelmRunner runner) {
    this.runner = runner;
  }

  public void start() {
    thread.start();
  }

  /** What keeps Helm from running, from the last check; costs nothing. */
  public Optional<String> problem() {
    return runner.problem();
  }

  private void awaitUsable() {
    var logged = "";
    try {
      while (!runner.isClosed()) {
        switch (runner.check()) {
          case HelmBinary.CheckResult.Usable(var program, var version) -> {
            log.atInfo().addKeyValue("program", program).log("Helm {} is used", version);
            return;
          }
          case HelmBinary.CheckResult.Unusable(var reason) -> {
            if (!reason.equals(logged) && !runner.isClosed()) {
              log.atError().log("Helm cannot be used, nothing is rolled out: {}", reason);
              logged = reason;
            }
          }
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
