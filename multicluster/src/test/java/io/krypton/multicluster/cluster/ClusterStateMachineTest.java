// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import io.krypton.multicluster.cluster.ClusterStateMachine.LifecycleEvent;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ClusterStateMachineTest {
  private static final ClusterFailure LOST =
      new ClusterFailure(ClusterFailure.Kind.NO_CONNECTION, "lost");
  private static final ClusterFailure LATE =
      new ClusterFailure(ClusterFailure.Kind.TIMEOUT, "late");
  private static final ClusterFailure WHO =
      new ClusterFailure(ClusterFailure.Kind.CREDENTIALS_REFUSED, "401");
  private static final ClusterFailure BARE =
      new ClusterFailure(ClusterFailure.Kind.NOT_PREPARED, "no definition");

  private static final LifecycleEvent ANSWERED = new LifecycleEvent.Answered();
  private static final LifecycleEvent PREPARED = new LifecycleEvent.Prepared();

  static Stream<Arguments> transitions() {
    return Stream.of(
        argumentSet(
            "a refused kubeconfig rejects the cluster",
            new Connecting(0, null),
            new LifecycleEvent.KubeconfigRefused("exec"),
            new Rejected("exec")),
        argumentSet(
            "a rejected cluster stays so whatever happens",
            new Rejected("exec"),
            ANSWERED,
            new Rejected("exec")),
        argumentSet(
            "no answer while connecting means unreachable at once",
            new Connecting(0, null),
            new LifecycleEvent.Unanswered(LOST),
            new Unreachable(LOST, false, 0, 0)),
        argumentSet(
            "refused credentials while connecting mean unreachable",
            new Connecting(0, null),
            new LifecycleEvent.Unanswered(WHO),
            new Unreachable(WHO, false, 0, 0)),
        argumentSet(
            "a failed sync means unreachable and is remembered as an attempt",
            new Connecting(1, null),
            new LifecycleEvent.PreparationFailed(LATE),
            new Unreachable(LATE, false, 0, 2)),
        argumentSet(
            "a step that must wait keeps the cluster connecting",
            new Connecting(1, null),
            new LifecycleEvent.NotPrepared(BARE),
            new Connecting(2, BARE)),
        argumentSet(
            "a prepared cluster is engaged",
            new Connecting(2, BARE),
            PREPARED,
            new Engaged(0, null)),
        argumentSet(
            "one unanswered probe is tolerated",
            new Engaged(0, null),
            new LifecycleEvent.Unanswered(LATE),
            new Engaged(1, LATE)),
        argumentSet(
            "two unanswered probes are tolerated",
            new Engaged(1, LATE),
            new LifecycleEvent.Unanswered(LOST),
            new Engaged(2, LOST)),
        argumentSet(
            "the third in a row is not",
            new Engaged(2, LOST),
            new LifecycleEvent.Unanswered(LATE),
            new Unreachable(LATE, true, 0, 0)),
        argumentSet(
            "an answer in between forgives", new Engaged(2, LOST), ANSWERED, new Engaged(0, null)),
        argumentSet(
            "refused credentials are never tolerated",
            new Engaged(0, null),
            new LifecycleEvent.Unanswered(WHO),
            new Unreachable(WHO, true, 0, 0)),
        argumentSet(
            "an answer brings an engaged cluster back",
            new Unreachable(LATE, true, 7, 0),
            ANSWERED,
            new Engaged(0, null)),
        argumentSet(
            "an answer lets a cluster that was never engaged connect, mindful of its attempts",
            new Unreachable(LATE, false, 7, 3),
            ANSWERED,
            new Connecting(3, LATE)),
        argumentSet(
            "unanswered probes are counted",
            new Unreachable(LATE, true, 7, 0),
            new LifecycleEvent.Unanswered(LOST),
            new Unreachable(LOST, true, 8, 0)),
        argumentSet(
            "a withdrawn cluster disengages from anywhere",
            new Unreachable(LATE, true, 7, 0),
            new LifecycleEvent.Withdrawn(),
            new Disengaging()),
        argumentSet(
            "a rejected cluster can be withdrawn",
            new Rejected("exec"),
            new LifecycleEvent.Withdrawn(),
            new Disengaging()),
        argumentSet(
            "there is no way back from disengaging",
            new Disengaging(),
            PREPARED,
            new Disengaging()));
  }

  @ParameterizedTest(name = "{argumentSetName}")
  @MethodSource("transitions")
  void rule(ClusterState before, LifecycleEvent lifecycleEvent, ClusterState after) {
    assertThat(ClusterStateMachine.next(before, lifecycleEvent)).isEqualTo(after);
  }
}
