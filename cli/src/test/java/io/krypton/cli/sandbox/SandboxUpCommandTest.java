// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets.Binary;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxUpCommandTest {
  private static final List<String> CLUSTERS = List.of("home", "edge");
  private static final List<Binary> SERVERS = SandboxUpCommand.servers(0);

  @TempDir Path directory;

  @Test
  void the_label_names_the_server_that_each_cluster_waits_for() throws Exception {
    var home = new SandboxDirectory("default", directory);
    assertThat(SandboxUpCommand.startLabel(CLUSTERS, SERVERS, home.ready()))
        .isEqualTo("starting home (etcd), edge (etcd)");

    home.noteReady("edge", Binary.ETCD);
    assertThat(SandboxUpCommand.startLabel(CLUSTERS, SERVERS, home.ready()))
        .isEqualTo("starting home (etcd), edge (kube-apiserver)");

    home.noteReady("edge", Binary.KUBE_APISERVER);
    home.noteReady("edge", Binary.KUBE_CONTROLLER_MANAGER);
    assertThat(home.ready()).hasSize(3);
    assertThat(SandboxUpCommand.startLabel(CLUSTERS, SERVERS, home.ready()))
        .isEqualTo("starting home (etcd)");
  }

  @Test
  void nodes_need_two_servers_more() {
    var ready = List.of("home etcd", "home kube-apiserver", "home kube-controller-manager");

    assertThat(SandboxUpCommand.startLabel(List.of("home"), SandboxUpCommand.servers(3), ready))
        .isEqualTo("starting home (kube-scheduler)");
  }
}
