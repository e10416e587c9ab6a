// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Test;

class LeftoverEntriesPatchTest {
  private static String removal(String status) throws Exception {
    var object =
        new JsonMapper()
            .readTree("{\"metadata\":{\"resourceVersion\":\"7\"},\"status\":%s}".formatted(status));
    return LeftoverEntriesPatch.of(object, "gone").toString();
  }

  @Test
  void a_node_without_entries_needs_no_patch() throws Exception {
    assertThat(removal("{\"conditions\":[{\"type\":\"KMSHealthReporter_gone2\"}]}"))
        .isEqualTo("[]");
  }

  @Test
  void each_removal_is_guarded_and_the_highest_index_goes_first() throws Exception {
    assertThat(
            removal(
                """
                {"conditions":[{"type":"A"},{"type":"KMSHealthReporter_gone"}],
                 "encryptionStatus":{"healthReports":[{"nodeName":"gone","keyID":"1"},
                   {"nodeName":"kept","keyID":"1"},{"nodeName":"gone","keyID":"2"}]}}
                """))
        .isEqualTo(
            """
            [{"op":"test","path":"/metadata/resourceVersion","value":"7"},
            {"op":"test","path":"/status/conditions/1/type","value":"KMSHealthReporter_gone"},
            {"op":"remove","path":"/status/conditions/1"},
            {"op":"test","path":"/status/encryptionStatus/healthReports/2/nodeName","value":"gone"},
            {"op":"test","path":"/status/encryptionStatus/healthReports/2/keyID","value":"2"},
            {"op":"remove","path":"/status/encryptionStatus/healthReports/2"},
            {"op":"test","path":"/status/encryptionStatus/healthReports/0/nodeName","value":"gone"},
            {"op":"test","path":"/status/encryptionStatus/healthReports/0/keyID","value":"1"},
            {"op":"remove","path":"/status/encryptionStatus/healthReports/0"}]\
            """
                .replace("\n", ""));
  }

  @Test
  void the_last_entry_takes_its_parent_along_unless_that_holds_more() throws Exception {
    assertThat(
            removal(
                """
                {"oauthAPIServer":{"encryptionStatus":{"healthReports":[{"nodeName":"gone","keyID":"1"}]}}}
                """))
        .contains("{\"op\":\"remove\",\"path\":\"/status/oauthAPIServer/encryptionStatus\"}");
    assertThat(
            removal(
                """
                {"encryptionStatus":{"preflight":{},"healthReports":[{"nodeName":"gone","keyID":"1"}]}}
                """))
        .contains("{\"op\":\"remove\",\"path\":\"/status/encryptionStatus/healthReports\"}");
  }
}
