// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine.Readiness;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.TestOperations;
import io.krypton.operator.release.helm.TestingEngine;
import io.krypton.operator.release.helm.process.HelmFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChosenEngineTest {
  private static final Readiness MISSING = new Readiness.NotReady("krypton-helm not found");

  @TempDir Path directory;

  private final TestingEngine worker =
      new TestingEngine(new ConcurrencyLimits(8, 8)).called("worker");
  private final TestingEngine cli = new TestingEngine(new ConcurrencyLimits(3, 3)).called("cli");

  @Test
  void the_worker_is_chosen_where_it_can_be_used() throws Exception {
    try (var engine = engine(EngineChoice.AUTO)) {
      assertThat(engine.limits().total()).as("before the choice").isEqualTo(3);
      assertThat(engine.status().engine()).isEmpty();
      assertThat(engine.problem()).isPresent();
      assertThat(engine.check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(engine.status().engine()).isEqualTo("worker");
      assertThat(engine.problem()).isEmpty();
      assertThat(engine.limits().total()).isEqualTo(8);
    }
    assertThat(worker.isClosed()).isTrue();
    assertThat(cli.isClosed()).isTrue();
  }

  @Test
  void else_it_is_the_command_line_and_the_reason_is_told() throws Exception {
    worker.thatIs(MISSING);
    try (var engine = engine(EngineChoice.AUTO)) {
      assertThat(engine.check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(engine.status().engine()).isEqualTo("cli");
      assertThat(engine.status().reason()).contains("krypton-helm not found");
      assertThat(worker.isClosed()).as("nobody needs it any more").isTrue();
      worker.thatIs(new Readiness.Ready("v4.3.1"));
      assertThat(engine.check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(engine.status().engine()).as("the choice stays").isEqualTo("cli");
    }
  }

  @Test
  void the_first_operation_chooses_if_nobody_has() {
    try (var engine = engine(EngineChoice.AUTO)) {
      worker.goOn();
      var operation = TestOperations.on("edge", "acme", "r", "{}").uninstall();
      assertThat(engine.run(operation)).isInstanceOf(HelmResult.Done.class);
      assertThat(worker.operations()).containsExactly(operation);
      assertThat(cli.operations()).isEmpty();
    }
  }

  @Test
  void where_neither_can_be_used_both_are_tried_until_one_can() throws Exception {
    worker.thatIs(MISSING);
    cli.thatIs(new Readiness.NotReady("helm binary 'helm' not found"));
    try (var engine = engine(EngineChoice.AUTO)) {
      var reason = "helm binary 'helm' not found; krypton-helm not found";
      assertThat(engine.check()).isEqualTo(new Readiness.NotReady(reason));
      assertThat(engine.problem()).contains(reason);
      assertThat(engine.run(TestOperations.on("edge", "acme", "r", "{}").uninstall()))
          .isEqualTo(new HelmResult.Unusable(reason));
      worker.thatIs(new Readiness.Ready("v4.3.1"));
      assertThat(engine.check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(engine.status().engine()).isEqualTo("worker");
    }
  }

  @Test
  void an_engine_that_was_asked_for_has_no_substitute() throws Exception {
    worker.thatIs(MISSING);
    try (var engine = engine(EngineChoice.WORKER)) {
      assertThat(engine.check()).isEqualTo(MISSING);
      assertThat(engine.problem()).contains("krypton-helm not found");
      assertThat(engine.status().engine()).isEqualTo("worker");
    }
    try (var engine = engine(EngineChoice.CLI)) {
      assertThat(engine.check()).isEqualTo(new Readiness.Ready("v4.3.1"));
      assertThat(engine.status().engine()).isEqualTo("cli");
    }
  }

  private ChosenEngine engine(EngineChoice asked) {
    return new ChosenEngine(asked, new HelmFiles(directory.resolve("data")), worker, cli);
  }
}
