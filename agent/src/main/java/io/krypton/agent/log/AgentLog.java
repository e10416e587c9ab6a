package io.krypton.agent.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Sets up logging in code: reading a file would cost a program of a node some hundred classes of
 * XML, and the memory they take. It stands back unless it was chosen, as other programs may have
 * this class too.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class AgentLog extends ContextAwareBase implements Configurator {
  private static final String CHOSEN = "krypton.agent.log";
  private static final String OWN_FILE = "logback.configurationFile";

  /** To be called before anything is logged; a file that the user names goes first. */
  public static void choose() {
    if (System.getProperty(OWN_FILE) == null) {
      System.setProperty(CHOSEN, "true");
    }
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (!Boolean.getBoolean(CHOSEN)) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var layout = new PlainLines();
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
}
