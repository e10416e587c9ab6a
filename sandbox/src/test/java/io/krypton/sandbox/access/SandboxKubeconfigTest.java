// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.pki.CertificateAuthority;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class SandboxKubeconfigTest {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("test");

  private final SandboxKubeconfig sandboxKubeconfig =
      new SandboxKubeconfig(
          "home",
          URI.create("https://127.0.0.1:6443"),
          AUTHORITY.certificate(),
          "jane",
          AUTHORITY.user("jane", List.of("team-a", "team-b")));

  @Test
  void another_address_changes_nothing_but_the_server() {
    var direct = sandboxKubeconfig.yaml();

    var detour = sandboxKubeconfig.via(URI.create("https://127.0.0.1:7443")).yaml();

    assertThat(detour).isEqualTo(direct.replace(":6443", ":7443")).isNotEqualTo(direct);
  }

  @Test
  void no_private_key_appears_when_it_is_printed() {
    assertThat(sandboxKubeconfig.toString())
        .contains("jane")
        .doesNotContain("PRIVATE", sandboxKubeconfig.identity().keyPem().lines().toList().get(1));
  }

  @Test
  void the_certificate_names_user_and_groups_as_kubernetes_reads_them() {
    assertThat(sandboxKubeconfig.identity().certificate().getSubjectX500Principal().getName())
        .isEqualTo("CN=jane,O=team-b,O=team-a");
  }
}
