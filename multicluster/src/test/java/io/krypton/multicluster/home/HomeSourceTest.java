// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HomeSourceTest {
  private static final Path USER = Path.of("/home/jane");
  private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  @Test
  void a_given_file_beats_everything() {
    assertThat(
            HomeSource.host(
                Path.of("/etc/kc"), Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"), USER))
        .isEqualTo(HomeSource.Files.of(Path.of("/etc/kc"), null));
  }

  @Test
  void in_a_pod_it_is_the_service_account() {
    assertThat(
            HomeSource.host(
                null,
                Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBERNETES_SERVICE_PORT", "6443"),
                USER))
        .isEqualTo(new HomeSource.InCluster(URI.create("https://10.0.0.1:6443"), ACCOUNT));
  }

  @Test
  void an_ipv6_address_is_written_in_brackets() {
    assertThat(HomeSource.host(null, Map.of("KUBERNETES_SERVICE_HOST", "fd00::1"), USER))
        .isEqualTo(new HomeSource.InCluster(URI.create("https://[fd00::1]:443"), ACCOUNT));
  }

  @Test
  void elsewhere_it_is_the_users_own_kubeconfig() {
    assertThat(HomeSource.host(null, Map.of(), USER))
        .isEqualTo(HomeSource.Files.of(USER.resolve(".kube/config"), null));
  }

  @Test
  void a_list_of_files_is_one_source() {
    assertThat(HomeSource.host(Path.of("/a/kc:/b/kc"), Map.of(), USER))
        .isEqualTo(new HomeSource.Files(List.of(Path.of("/a/kc"), Path.of("/b/kc")), null));
  }
}
