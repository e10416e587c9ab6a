// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.krypton.agent.AgentLogConfigurator.PlainTextLayout;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class PlainTextLayoutTest {
  private final LoggerContext context = new LoggerContext();

  @Test
  void an_event_is_one_line_with_its_pairs() {
    var event = event(Level.WARN, null);
    event.setKeyValuePairs(List.of(new KeyValuePair("keyID", 2), new KeyValuePair("x", "a b")));

    assertThat(new PlainTextLayout().doLayout(event))
        .isEqualTo(
            "2026-05-08T12:34:56.007Z WARN  NodeHealthCollector plugin healthy keyID=\"2\" x=\"a b\"\n");
  }

  @Test
  void what_was_thrown_follows_the_line() {
    assertThat(new PlainTextLayout().doLayout(event(Level.ERROR, new IllegalStateException("why"))))
        .startsWith("2026-05-08T12:34:56.007Z ERROR NodeHealthCollector plugin healthy\n")
        .contains("java.lang.IllegalStateException: why", "PlainTextLayoutTest");
  }

  @Test
  void a_program_that_did_not_choose_it_keeps_its_own_log() {
    assertThat(new AgentLogConfigurator().configure(context))
        .isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
  }

  private LoggingEvent event(Level level, @Nullable Throwable thrown) {
    var logger = context.getLogger("io.krypton.agent.reporter.NodeHealthCollector");
    var event = new LoggingEvent("", logger, level, "plugin {}", thrown, new Object[] {"healthy"});
    event.setInstant(Instant.parse("2026-05-08T12:34:56.007Z"));
    return event;
  }
}
