// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.input.ApiServerKeyReader.KeyMetrics;
import org.junit.jupiter.api.Test;

class KeyMetricsTest {
  private static final String A = "sha256:" + "a".repeat(64);
  private static final String B = "sha256:" + "b".repeat(64);

  private static String line(String hash, String direction, String time) {
    return ("apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds{apiserver_id_hash=\"x\","
            + "key_id_hash=\"%s\",provider_name=\"kms-2\",transformation_type=\"%s\"} %s\n")
        .formatted(hash, direction, time);
  }

  @Test
  void the_key_that_was_written_with_last_counts() {
    var metrics =
        "# HELP something\n"
            + line(A, "to_storage", "1.7e+09")
            + line(B, "to_storage", "1.8e+09")
            + line(A, "from_storage", "1.9e+09")
            + line(A, "to_storage", "soon");
    assertThat(KeyMetrics.lastWritten(metrics)).contains(B);
  }

  @Test
  void a_server_that_does_not_encrypt_says_nothing() {
    assertThat(KeyMetrics.lastWritten("up 1\n")).isEmpty();
    assertThat(KeyMetrics.lastWritten(line("odd", "to_storage", "1"))).isEmpty();
  }
}
