// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.slf4j.Logger;

/**
 * Sets up logging in code: reading a file would cost a program of a node some hundred classes of
 * XML, and the memory they take. It stands back unless it was chosen, as other programs may have
 * this class too.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class AgentLogConfigurator extends ContextAwareBase implements Configurator {
  private static final String ACTIVE = "krypton.agent.log";
  private static final String USER_FILE = "logback.configurationFile";

  /** To be called before anything is logged; a file that the user names goes first. */
  public static void activate() {
    if (System.getProperty(USER_FILE) == null) {
      System.setProperty(ACTIVE, "true");
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (!Boolean.getBoolean(ACTIVE)) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var layout = new PlainTextLayout();
    layout.setContext(context);
    layout.start();
    var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
    encoder.setContext(context);
    encoder.setLayout(layout);
    encoder.start();
    var stderr = new ConsoleAppender<ILoggingEvent>();
    stderr.setContext(context);
    stderr.setName("stderr");
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder);
    stderr.start();
    var root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(stderr);
    context.getLogger("io.krypton").setLevel(Level.INFO);
    // Netty warns at every connect that a unix socket has no keep-alive.
    context.getLogger("io.grpc.netty").setLevel(Level.ERROR);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /** One event as one line: time, level, class, message, then {@code key="value"} pairs. */
  static final class PlainTextLayout extends LayoutBase<ILoggingEvent> {
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
}
