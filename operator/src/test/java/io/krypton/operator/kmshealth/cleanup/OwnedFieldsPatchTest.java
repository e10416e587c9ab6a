// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedFieldsPatchTest {
  private static final String TEST_VERSION = "test /metadata/resourceVersion";

  private static List<String> removal(String status, String owned) throws Exception {
    var object =
        new JsonMapper()
            .readTree(
                """
                {"metadata":{"resourceVersion":"7","managedFields":[
                  {"manager":"me","operation":"Apply","subresource":"status","fieldsV1":{"f:status":%s}},
                  {"manager":"me","operation":"Apply","fieldsV1":{"f:spec":{"f:x":{}}}},
                  {"manager":"other","operation":"Apply","subresource":"status","fieldsV1":{"f:status":{"f:theirs":{}}}}]},
                 "spec":{"x":1},"status":%s}
                """
                    .formatted(owned, status));
    return OwnedFieldsPatch.of(object, "me")
        .valueStream()
        .map(step -> step.path("op").asText() + " " + step.path("path").asText())
        .toList();
  }

  @Test
  void who_owns_nothing_that_is_there_needs_no_patch() throws Exception {
    assertThat(removal("{\"theirs\":1}", "{}")).isEmpty();
    assertThat(removal("{\"theirs\":1}", "{\"f:mine\":{}}")).isEmpty();
  }

  @Test
  void single_fields_and_whole_objects_go_and_the_status_itself_stays() throws Exception {
    assertThat(
            removal(
                "{\"mine\":1,\"whole\":{\"a\":1,\"b\":{\"c\":[2]}},\"theirs\":1}",
                "{\"f:mine\":{},\"f:whole\":{\"f:a\":{},\"f:b\":{\"f:c\":{}}}}"))
        .containsExactly(TEST_VERSION, "remove /status/mine", "remove /status/whole");
    assertThat(removal("{\"mine\":1}", "{\"f:mine\":{}}"))
        .containsExactly(TEST_VERSION, "remove /status/mine");
  }

  @Test
  void of_a_shared_object_only_our_part_goes() throws Exception {
    assertThat(
            removal(
                "{\"shared\":{\"mine\":1,\"theirs\":2}}",
                "{\"f:shared\":{\".\":{},\"f:mine\":{}}}"))
        .containsExactly(TEST_VERSION, "remove /status/shared/mine");
  }

  @Test
  void of_a_shared_list_our_items_go_highest_index_first() throws Exception {
    assertThat(
            removal(
                """
                {"list":[{"type":"A","x":1},{"type":"B"},{"type":"C"}]}
                """,
                """
                {"f:list":{"k:{\\"type\\":\\"A\\"}":{".":{},"f:type":{},"f:x":{}},
                 "k:{\\"type\\":\\"C\\"}":{".":{},"f:type":{}},
                 "k:{\\"type\\":\\"B\\"}":{"f:x":{}},
                 "k:{\\"type\\":\\"gone\\"}":{".":{},"f:type":{}}}}
                """))
        .containsExactly(TEST_VERSION, "remove /status/list/2", "remove /status/list/0");
  }

  @Test
  void a_list_of_nothing_but_our_items_goes_as_a_whole_by_all_of_its_keys() throws Exception {
    assertThat(
            removal(
                """
                {"e":{"list":[{"n":"a","k":"1"},{"n":"a","k":"2"}]},"theirs":1}
                """,
                """
                {"f:e":{"f:list":{"k:{\\"n\\":\\"a\\",\\"k\\":\\"1\\"}":{".":{}},
                 "k:{\\"n\\":\\"a\\",\\"k\\":\\"2\\"}":{".":{}}}}}
                """))
        .containsExactly(TEST_VERSION, "remove /status/e");
  }
}
