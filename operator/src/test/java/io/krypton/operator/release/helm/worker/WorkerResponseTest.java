// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkerResponseTest {

  @Test
  void a_stored_release_comes_with_its_manifest() throws IOException {
    var response =
        decode(
            """
            {"id": 3, "status": "done", "residentBytes": 7000, "futureField": [1],
             "release": {"revision": 2, "status": "deployed", "manifest": "kind: Secret"}}
            """);
    assertThat(response.applied()).isEqualTo(new AppliedRelease(2, "kind: Secret"));
    assertThat(response.residentBytes()).isEqualTo(7000);
    assertThat(response.message()).isEmpty();
    assertThat(response.toString()).doesNotContain("Secret");
    assertThat(String.valueOf(response.release())).doesNotContain("Secret");
    assertThat(String.valueOf(response.applied())).doesNotContain("Secret");
  }

  @Test
  void a_manifest_of_many_megabytes_is_read() throws IOException {
    var manifest = "#".repeat(25 << 20);
    assertThat(
            decode("{\"id\": 3, \"status\": \"done\", \"manifest\": \"%s\"}".formatted(manifest)))
        .satisfies(it -> assertThat(it.manifest()).hasSameSizeAs(manifest));
  }

  @Test
  void an_uninstall_stores_nothing() throws IOException {
    assertThat(decode("{\"id\": 3, \"status\": \"done\"}").applied()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "[]", "{}", "{\"id\": 0}", "{\"id\": \"x\"}", "{\"id\": 1", "{]"})
  void what_is_no_response_is_told_without_its_content(String text) {
    assertThatThrownBy(() -> decode(text))
        .isInstanceOf(IOException.class)
        .hasMessage("a frame that is no response")
        .hasNoCause();
  }

  @Test
  void garbage_is_no_response() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (var round = 0; round < 300; round++) {
      var garbage = new byte[1 + random.nextInt(200)];
      random.nextBytes(garbage);
      garbage[0] = (byte) 0xff;
      assertThatThrownBy(() -> WorkerResponse.decode(garbage))
          .as("seed %d", seed)
          .isInstanceOf(IOException.class)
          .hasNoCause();
    }
  }

  private static WorkerResponse decode(String text) throws IOException {
    return WorkerResponse.decode(text.getBytes(UTF_8));
  }
}
