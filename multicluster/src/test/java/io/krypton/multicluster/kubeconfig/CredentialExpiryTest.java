// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.kubeconfig.ClusterCredentials.CredentialExpiry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialExpiryTest {

  @Test
  void the_earlier_end_of_certificate_and_token_counts() {
    var soon = Instant.now().plusSeconds(3600).getEpochSecond();
    var certificate = TestKubeconfig.accepted(TestKubeconfig.full());
    var both = certificate.withToken(jwt("{\"exp\":" + soon + "}"));

    assertThat(certificate.credentialsExpireAt())
        .contains(TestKubeconfig.USER.certificate().getNotAfter().toInstant());
    assertThat(both.credentialsExpireAt()).contains(Instant.ofEpochSecond(soon));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "opaque",
        "a.b",
        "a.!.c",
        "a..c",
        "{}",
        "{\"exp\":\"soon\"}",
        "[]",
        "{\"exp\":1e99}"
      })
  void a_token_that_does_not_tell_has_no_end(String claims) {
    var token = claims.startsWith("{") || claims.startsWith("[") ? jwt(claims) : claims;

    assertThat(CredentialExpiry.ofToken(token)).isEmpty();
  }

  private static String jwt(String claims) {
    var body =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(claims.getBytes(StandardCharsets.UTF_8));
    return "e30." + body + ".c2ln";
  }
}
