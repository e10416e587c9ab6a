// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the last things when a signal ends the process, which then ends with 143. */
final class ShutdownHook implements AutoCloseable {
  static final int EXIT_CODE = 143;

  private static final Logger log = LoggerFactory.getLogger(ShutdownHook.class);

  private final Thread hook;

  private ShutdownHook(Thread hook) {
    this.hook = hook;
  }

  static ShutdownHook register(Runnable last) {
    var hook =
        new Thread(
            () -> {
              last.run();
              // The same code for SIGINT, which the JVM would turn into another one.
              Runtime.getRuntime().halt(EXIT_CODE);
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    return new ShutdownHook(hook);
  }

  /** The process ends by itself. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.debug("a signal came first");
    }
  }
}
