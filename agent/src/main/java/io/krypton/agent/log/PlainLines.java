package io.krypton.agent.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** One event as one line: time, level, class, message, then {@code key="value"} pairs. */
final class PlainLines extends LayoutBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final int WIDEST_LEVEL = 5;

  @Override
  public String doLayout(ILoggingEvent event) {
    var line = new StringBuilder();
    TIME.formatTo(Instant.ofEpochMilli(event.getTimeStamp()), line);
    var level = event.getLevel().toString();
    line.append(' ').append(level).append(" ".repeat(WIDEST_LEVEL - level.length() + 1));
    var logger = event.getLoggerName();
    line.append(logger, logger.lastIndexOf('.') + 1, logger.length());
    line.append(' ').append(event.getFormattedMessage());
    var pairs = event.getKeyValuePairs();
    if (pairs != null) {
      for (var pair : pairs) {
        line.append(' ').append(pair.key).append("=\"").append(pair.value).append('"');
      }
    }
    line.append('\n');
    var thrown = event.getThrowableProxy();
    if (thrown != null) {
      line.append(ThrowableProxyUtil.asString(thrown));
    }
    return line.toString();
  }
}
