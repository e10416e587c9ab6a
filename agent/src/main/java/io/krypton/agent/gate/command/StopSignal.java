package io.krypton.agent.gate.command;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the last things when a signal ends the process, which then ends with 143. */
final class StopSignal implements AutoCloseable {
  static final int EXIT = 143;

  private static final Logger LOG = LoggerFactory.getLogger(StopSignal.class);

  private final Thread hook;

  private StopSignal(Thread hook) {
    this.hook = hook;
  }

  static StopSignal then(Runnable last) {
    var hook =
        new Thread(
            () -> {
              last.run();
              // The same code for SIGINT, which the JVM would turn into another one.
              Runtime.getRuntime().halt(EXIT);
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
    return new StopSignal(hook);
  }

  /** The process ends by itself. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("a signal came first");
    }
  }
}
