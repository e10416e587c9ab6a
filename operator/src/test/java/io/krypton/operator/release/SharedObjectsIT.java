// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.Deployed;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two releases of a chart whose objects have no namespace, and so the same names. */
@ExtendWith(ControlPlaneExtension.class)
class SharedObjectsIT {
  private static final int ROUNDS = 20;

  /** An API server now and then takes minutes to end a definition that was made a moment ago. */
  private static final Duration LONG = Duration.ofMinutes(10);

  private static final String DEFINITION = "widgets.example.test";
  private static final String OWNER = "meta.helm.sh/release-name";

  private RealHelm helm;
  private TestTarget edge;
  private RolloutFixture rolloutFixture;
  private RolloutFixture.Client one;
  private RolloutFixture.Client other;

  @BeforeEach
  void start(
      @Cluster("helm") TestNamespace first,
      @Cluster("helm") TestNamespace second,
      @TempDir Path directory)
      throws Exception {
    helm = RealHelm.in(first, directory);
    edge = TestTarget.following(first.controlPlane());
    rolloutFixture = new RolloutFixture(edge, helm.client(), TestCharts.DEFINITIONS);
    one = rolloutFixture.new Client(first.name(), "widgets-of-one");
    other = rolloutFixture.new Client(second.name(), "widgets-of-another");
  }

  @AfterEach
  void stop() throws Exception {
    one.withdraw();
    other.withdraw();
    rolloutFixture.close();
    edge.close();
    helm.close();
  }

  @Test
  void of_two_at_once_one_gets_all_and_the_other_is_told_whose_they_are() throws Exception {
    for (var round = 0; round < ROUNDS; round++) {
      var ends = atOnce(() -> settled(one), () -> settled(other));

      assertThat(ends).as("round " + round).hasAtLeastOneElementOfType(Deployed.class);
      assertThat(installs()).as("installs that Helm let pass").isEqualTo(round + 1);
      var winner = ends.getFirst() instanceof Deployed ? one : other;
      var loser = winner == one ? other : one;
      assertThat(ends)
          .filteredOn(it -> !(it instanceof Deployed))
          .singleElement()
          .isInstanceOfSatisfying(
              Failed.class,
              it -> {
                assertThat(it.reason()).isEqualTo(FailureReason.INSTALL_FAILED);
                assertThat(it.message()).contains(winner.name());
              });
      untilGone(loser);
      assertThat(definition().getMetadata().getAnnotations()).containsEntry(OWNER, winner.name());
      untilGone(winner);
      await().atMost(LONG).until(() -> definition() == null);
    }
  }

  @Test
  void what_was_given_to_another_release_is_neither_upgraded_nor_uninstalled() throws Exception {
    assertThat(settled(one)).isInstanceOf(Deployed.class);
    edge.client()
        .resource(definition())
        .edit(
            it -> {
              it.getMetadata().getAnnotations().put(OWNER, "somebody");
              return it;
            });

    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(one.run(Map.of("text", "new")))
                    .isInstanceOfSatisfying(
                        Failed.class, it -> assertThat(it.message()).contains("somebody")));
    assertThat(definition().getMetadata().getAnnotations()).containsEntry(OWNER, "somebody");

    untilGone(one);

    assertThat(definition().getMetadata().getDeletionTimestamp()).isNull();
    edge.client().resource(definition()).delete();
  }

  @Test
  void whoever_finds_the_server_taken_tells_nothing_and_is_enqueued_when_it_is_free()
      throws Exception {
    var elsewhere = new ReleaseKey("elsewhere", "ns", new ReleaseName("stranger"));
    assertThat(helm.client().reserveExclusive(elsewhere, edge.target().serverUid(), () -> {}))
        .isTrue();

    assertThat(one.run(Map.of())).isInstanceOf(RolloutResult.WaitingForHelmSlot.class);
    assertThat(one.run(Map.of())).as("again").isInstanceOf(RolloutResult.WaitingForHelmSlot.class);
    assertThat(other.run(Map.of())).isInstanceOf(RolloutResult.WaitingForHelmSlot.class);
    assertThat(installs()).isZero();
    assertThat(rolloutFixture.woken).isEmpty();

    helm.client().releaseReservation(elsewhere);

    assertThat(rolloutFixture.woken).containsExactly(one.waiter());
    assertThat(settled(one)).isInstanceOf(Deployed.class);
    assertThat(rolloutFixture.woken).containsExactly(one.waiter(), other.waiter());
    other.withdraw();
  }

  private static void untilGone(RolloutFixture.Client client) {
    await()
        .atMost(LONG)
        .untilAsserted(
            () ->
                assertThat(client.withdraw())
                    .isInstanceOf(ReleaseUninstaller.Progress.Removed.class));
  }

  private long installs() {
    return Stream.of(one, other)
        .flatMap(client -> client.journal.all().stream())
        .filter(RolloutEvent.Installed.class::isInstance)
        .count();
  }

  /** Watches that have just begun and other releases at work need another look. */
  private static RolloutResult settled(RolloutFixture.Client client) {
    var last = new RolloutResult[1];
    await()
        .atMost(LONG)
        .until(
            () -> {
              last[0] = client.run(Map.of());
              return last[0] instanceof Deployed || last[0] instanceof Failed;
            });
    return last[0];
  }

  private static List<RolloutResult> atOnce(
      Callable<RolloutResult> one, Callable<RolloutResult> other) throws Exception {
    var barrier = new CyclicBarrier(2);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var first = threads.submit(() -> afterBoth(barrier, one));
      var second = threads.submit(() -> afterBoth(barrier, other));
      return List.of(first.get(), second.get());
    }
  }

  private static RolloutResult afterBoth(CyclicBarrier barrier, Callable<RolloutResult> run)
      throws Exception {
    barrier.await();
    return run.call();
  }

  private CustomResourceDefinition definition() {
    return edge.client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(DEFINITION)
        .get();
  }
}
