// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease.Decoded;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class StoredReleaseTest {

  @Test
  void chart_and_manifest_are_read_and_the_rest_is_passed_over() throws IOException {
    var json =
        """
        {"name":"r","info":{"status":"deployed"},"hooks":[{"manifest":"kind: Job"}],
         "chart":{"metadata":{"name":"web","version":"1.2.3","keywords":["a"]},"templates":[{"data":"eA=="}]},
         "config":{"password":"hunter2"},"manifest":"---\\nkind: ConfigMap\\n","version":4}
        """;
    var decoded = StoredRelease.decode(payload(json.getBytes(StandardCharsets.UTF_8)));
    assertThat(decoded)
        .isEqualTo(
            new Decoded.Intact(new StoredRelease(4, "web", "1.2.3", "---\nkind: ConfigMap\n")));
    assertThat(decoded.toString()).doesNotContain("ConfigMap");
  }

  @Test
  void a_payload_that_inflates_without_end_is_refused() throws IOException {
    assertThat(StoredRelease.decode(payload(new byte[StoredRelease.MAX_DECOMPRESSED_SIZE + 1])))
        .isEqualTo(new Decoded.Unreadable("larger than 64 MiB"));
  }

  @Test
  void garbage_is_told_without_quoting_it() throws IOException {
    assertThat(StoredRelease.decode("%%%")).isEqualTo(new Decoded.Unreadable("not base64"));
    assertThat(StoredRelease.decode(twice("hunter2".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(new Decoded.Unreadable("not gzip of JSON"));
    assertThat(StoredRelease.decode(payload("{hunter2".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(new Decoded.Unreadable("not gzip of JSON"));
    assertThat(StoredRelease.decode(payload("{}".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(new Decoded.Unreadable("no manifest or chart in it"));
  }

  private static String payload(byte[] json) throws IOException {
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(json);
    }
    return twice(compressed.toByteArray());
  }

  private static String twice(byte[] bytes) {
    var encoder = Base64.getEncoder();
    return encoder.encodeToString(encoder.encode(bytes));
  }
}
