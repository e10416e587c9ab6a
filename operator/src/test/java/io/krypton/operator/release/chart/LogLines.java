// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What one class logs while this is open: level and text. */
public final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

  public LogLines(Class<?> source) {
    logger = (Logger) LoggerFactory.getLogger(source);
    appender.start();
    logger.addAppender(appender);
  }

  public List<String> lines() {
    return List.copyOf(appender.list).stream()
        .map(event -> event.getLevel() + " " + event.getFormattedMessage())
        .toList();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
  }
}
