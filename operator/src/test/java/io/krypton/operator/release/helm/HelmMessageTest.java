// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelmMessageTest {

  @Test
  void a_secret_is_blotted_out_however_it_was_written() {
    var secret = "swordfish \"quoted\"\nsecond line";
    var base64 = Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8));
    var redactor = new Redactor(List.of(secret));
    assertThat(redactor.redact("a " + secret + " b")).isEqualTo("a *** b");
    assertThat(redactor.redact("a swordfish \\\"quoted\\\"\\nsecond line b")).isEqualTo("a *** b");
    assertThat(redactor.redact("line 3: second line!")).isEqualTo("line 3: ***!");
    assertThat(redactor.redact("data: " + base64)).startsWith("data: ***");
  }

  @Test
  void a_secret_within_a_longer_one_does_not_spare_the_rest() {
    assertThat(new Redactor(List.of("sword", "swordfish")).redact("swordfish")).isEqualTo("***");
  }

  @Test
  void words_too_short_to_be_secrets_are_left_alone() {
    assertThat(new Redactor(List.of("a", "12", "")).redact("a 12")).isEqualTo("a 12");
  }

  @Test
  void everything_about_users_of_a_kubeconfig_is_secret() {
    var helmKubeconfig =
        new HelmKubeconfig(
            """
            clusters: [{name: edge, cluster: {server: "https://edge:6443"}}]
            users: [{name: admin, user: {token: hunter2hunter2, client-key-data: S0VZ}}]
            """);
    assertThat(helmKubeconfig.secrets()).containsExactlyInAnyOrder("hunter2hunter2", "S0VZ");
    assertThat(helmKubeconfig.toString()).doesNotContain("hunter2");
    assertThat(new HelmKubeconfig("not: [yaml\ntoken hunter2").secrets()).contains("token hunter2");
  }

  @Test
  void a_long_message_keeps_its_end() {
    assertThat(HelmMessage.bounded("x".repeat(10_000) + " and so on"))
        .hasSize(4096)
        .startsWith("…")
        .endsWith(" and so on");
    assertThat(HelmMessage.bounded("short")).isEqualTo("short");
  }
}
