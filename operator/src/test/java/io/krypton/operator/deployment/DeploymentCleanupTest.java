// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.deployment.DeploymentCleanup.SameServer;
import org.junit.jupiter.api.Test;

class DeploymentCleanupTest {
  @Test
  void two_servers_are_the_same_by_the_uid_of_kube_system() {
    assertThat(SameServer.of("a", "a")).isEqualTo(SameServer.YES);
    assertThat(SameServer.of("a", "b")).isEqualTo(SameServer.NO);
    assertThat(SameServer.of("a", null)).isEqualTo(SameServer.NO);
    assertThat(SameServer.of(null, "b")).isEqualTo(SameServer.NO);
  }

  @Test
  void two_servers_without_kube_system_are_not_the_same_for_it() {
    assertThat(SameServer.of(null, null)).isEqualTo(SameServer.UNKNOWN);
  }
}
