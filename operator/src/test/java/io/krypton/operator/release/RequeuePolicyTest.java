// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.release.RolloutResult.ClusterUnreachable;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequeuePolicyTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource(WaitReason.class)
  void whatever_it_waits_for_its_back_off_is_not_reset(WaitReason waitReason) {
    assertThat(RequeuePolicy.after(new Waiting(waitReason, Duration.ofSeconds(5)), INTERVAL))
        .isEqualTo(ReconcileResult.postpone(Duration.ofSeconds(5)));
    assertThat(RequeuePolicy.after(new Waiting(waitReason, null), INTERVAL))
        .isEqualTo(ReconcileResult.postpone(INTERVAL));
  }

  @Test
  void a_cluster_that_does_not_answer_neither_fails_nor_cures_a_release() {
    assertThat(RequeuePolicy.after(new ClusterUnreachable("no route"), INTERVAL))
        .isInstanceOf(ReconcileResult.Postpone.class);
  }

  @Test
  void only_an_answer_of_the_server_is_about_the_object() {
    assertThat(RequeuePolicy.isNoAnswer(new KubernetesClientException("cut off"))).isTrue();
    assertThat(RequeuePolicy.isNoAnswer(new KubernetesClientException("late", new IOException())))
        .as("the library has two codes for that")
        .isTrue();
    assertThat(RequeuePolicy.isNoAnswer(new KubernetesClientException("no", 403, new Status())))
        .isFalse();
  }
}
