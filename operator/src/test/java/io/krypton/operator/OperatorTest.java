// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.krypton.operator.OperatorSettings.ControllerName;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The operator as a whole, far from any cluster. */
class OperatorTest {
  private static final List<String> STEPS =
      List.of(
          "clients",
          "servers",
          "registry",
          "home",
          "discovery",
          "home bootstrap",
          "tls",
          "deployments",
          "classes",
          "rollout",
          "election",
          "engage home");

  private final Logger logger = (Logger) LoggerFactory.getLogger("io.krypton.operator");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @TempDir Path directory;

  @BeforeEach
  void listen() {
    logger.setLevel(Level.DEBUG);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void leave() {
    logger.detachAppender(lines);
    logger.setLevel(null);
  }

  @Test
  void it_starts_and_stops_its_steps_in_this_order_even_without_a_cluster() throws Exception {
    var operator = new Operator(TestSettings.in(directory).settings());
    assertThat(operator.stepNames()).isEqualTo(STEPS);

    operator.start();
    assertThat(stepsThat("starting ")).isEqualTo(STEPS);
    assertThat(told("operator started")).hasSize(1);
    assertThat(told("controllers disabled")).isEmpty();

    operator.close();
    operator.close();
    operator.awaitClosed();
    assertThat(stepsThat("draining ")).isEqualTo(STEPS);
    assertThat(stepsThat("closing ")).isEqualTo(STEPS.reversed());
    assertThat(told("shutting down")).hasSize(1);
  }

  @Test
  void it_names_the_controllers_that_are_disabled() {
    try (var operator =
        new Operator(
            TestSettings.in(directory)
                .withControllers(Set.of(ControllerName.TENANTS))
                .settings())) {
      operator.start();
      assertThat(told("controllers disabled"))
          .singleElement()
          .satisfies(
              line ->
                  assertThat(line.getKeyValuePairs())
                      .hasToString("[controllers=\"deployments,kmshealth\"]"));
    }
  }

  private List<String> stepsThat(String verb) {
    return told(verb).stream()
        .map(line -> line.getFormattedMessage().substring(verb.length()))
        .toList();
  }

  /** The appender's own lock: parts of the operator go on logging meanwhile. */
  private List<ILoggingEvent> told(String start) {
    synchronized (lines) {
      return lines.list.stream()
          .filter(line -> line.getFormattedMessage().startsWith(start))
          .toList();
    }
  }
}
