// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a cluster does with steps that wait, begin something or hang. */
class EngageStepsTest extends ClusterRegistryFixture {
  @Test
  void a_step_that_must_wait_is_repeated_and_told_once() {
    var tries = new AtomicInteger();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster ->
                tries.incrementAndGet() < 4
                    ? new EngageStep.Result.NotYet("DefinitionFailed", "forbidden")
                    : new EngageStep.Result.Done());

    registry.engage(EDGE, content(server.kubeconfig("t")));

    events.await(ClusterEvent.Engaged.class, "edge", SOON);
    assertThat(tries).hasValue(4);
    assertThat(events.all(ClusterEvent.StepNotice.class, "edge")).hasSize(1);
  }

  @Test
  void what_a_step_has_begun_is_kept_between_tries_and_its_progress_ends_the_waiting() {
    var begun = new AtomicInteger();
    var ended = new AtomicInteger();
    var synced = new AtomicBoolean();
    var waiting = new AtomicReference<EngagedCluster>();
    registry.close();
    registry =
        slowProbes(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.owned(
                  Listing.class,
                  () -> {
                    begun.incrementAndGet();
                    return new Listing(ended);
                  });
              waiting.set(engagedCluster);
              return synced.get()
                  ? new EngageStep.Result.Done()
                  : new EngageStep.Result.NotYet("ClusterNotSynced", "listing goes on");
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.StepNotice.class, "edge", SOON);

    synced.set(true);
    Objects.requireNonNull(waiting.get()).retryEngagement();

    var engaged = events.await(ClusterEvent.Engaged.class, "edge", SOON).cluster();
    assertThat(engaged).isSameAs(waiting.get());
    assertThat(begun).hasValue(1);
    assertThat(ended).hasValue(0);
    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);
    events.await(ClusterEvent.Disengaged.class, "edge", SOON);
    assertThat(ended).hasValue(1);
  }

  private record Listing(AtomicInteger ended) implements AutoCloseable {
    @Override
    public void close() {
      ended.incrementAndGet();
    }
  }

  @Test
  void what_was_begun_ends_when_its_cluster_is_withdrawn_before_it_is_engaged() {
    var ended = new AtomicInteger();
    registry.close();
    registry =
        slowProbes(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.owned(Listing.class, () -> new Listing(ended));
              return new EngageStep.Result.NotYet("ClusterNotSynced", "listing goes on");
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.StepNotice.class, "edge", SOON);

    registry.disengage(EDGE, () -> DisengageReason.LABEL_REMOVED);

    await().atMost(SOON).until(() -> registry.clusters().isEmpty());
    assertThat(ended).hasValue(1);
  }

  @Test
  void what_a_step_started_ends_with_the_cluster_in_reverse_order() {
    var ended = new CopyOnWriteArrayList<String>();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster -> {
              engagedCluster.own(() -> ended.add("first"));
              engagedCluster.own(() -> ended.add("second"));
              return new EngageStep.Result.Done();
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "edge", SOON);

    registry.disengage(EDGE, () -> DisengageReason.SECRET_DELETED);

    events.await(ClusterEvent.Disengaged.class, "edge", SOON);
    assertThat(ended).containsExactly("second", "first");
  }

  @Test
  void a_step_that_hangs_neither_delays_the_withdrawal_nor_other_clusters() {
    var entered = new CountDownLatch(1);
    var interrupted = new AtomicBoolean();
    registry.close();
    registry =
        registry(
            LiveTokens.none(),
            engagedCluster -> {
              if (engagedCluster.name().value().equals("edge")) {
                entered.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.set(true);
                  throw e;
                }
              }
              return new EngageStep.Result.Done();
            });
    registry.engage(EDGE, content(server.kubeconfig("t")));
    registry.engage(new SecretRef("ops", "other"), content(server.kubeconfig("t")));
    events.await(ClusterEvent.Engaged.class, "other", SOON);
    await().atMost(SOON).until(() -> entered.getCount() == 0);

    registry.disengage(EDGE, () -> DisengageReason.SECRET_DELETED);

    await().atMost(SOON).until(() -> registry.clusters().size() == 1);
    assertThat(interrupted).isTrue();
  }
}
