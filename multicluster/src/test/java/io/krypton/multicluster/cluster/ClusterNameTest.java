// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClusterNameTest {

  @Test
  void a_cluster_bears_the_name_of_its_secret() {
    assertThat(ClusterName.of(new SecretRef("ops", "edge"), "ops"))
        .isEqualTo(new ClusterName("edge"));
  }

  @Test
  void secrets_of_the_same_name_in_other_namespaces_are_other_clusters() {
    assertThat(ClusterName.of(new SecretRef("team", "edge"), "ops"))
        .isEqualTo(new ClusterName("team/edge"));
  }
}
