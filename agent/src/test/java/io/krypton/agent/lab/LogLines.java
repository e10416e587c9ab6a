// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Collects what is logged while it is open. */
public final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
  private final Logger logger;

  private LogLines(Logger logger) {
    this.logger = logger;
  }

  /** Collects the lines of a package and those below it. */
  public static LogLines of(String loggerName) {
    var logger = (Logger) LoggerFactory.getLogger(loggerName);
    var lines = new LogLines(logger);
    lines.setContext(logger.getLoggerContext());
    lines.start();
    logger.addAppender(lines);
    return lines;
  }

  @Override
  protected void append(ILoggingEvent event) {
    events.add(event);
  }

  /** Message and key-value pairs, one text per line. */
  public List<String> texts() {
    return events.stream()
        .map(event -> event.getKeyValuePairs() + " " + event.getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(this);
    stop();
  }
}
