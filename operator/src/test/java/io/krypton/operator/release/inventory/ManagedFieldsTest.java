// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.release.inventory.ManagedFields.TransferScope;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ManagedFieldsTest {
  private static final JsonNode MANIFEST =
      json(
          """
          {"apiVersion":"v1","spec":{"type":"NodePort","ports":[{"name":"http","port":80}],
           "containers":[{"name":"web","env":[{"name":"A"}]}],"set":["a"]}}
          """);

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void helm_gets_what_stands_in_its_way(
      String rule, TransferScope transferScope, String manager, String fields, String helms) {
    var live =
        json(
            """
            {"metadata":{"resourceVersion":"7","managedFields":[
              {"manager":"helm","operation":"Apply","apiVersion":"v1","time":"2026-01-01T00:00:00Z",
               "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:type":{}}}},
              {%s,"operation":"Update","time":"2026-01-02T00:00:00Z","fieldsV1":%s}]}}
            """
                .formatted(manager, fields));

    var given = ManagedFields.transferToHelm(live, MANIFEST, transferScope);

    assertThat(given.map(it -> it.path(0).path("fieldsV1").path("f:spec").toString()))
        .as(rule)
        .hasValueSatisfying(it -> assertThat(it).isEqualTo(helms));
  }

  static Stream<Arguments> helm_gets_what_stands_in_its_way() {
    var port = "{\"f:ports\":{\"k:{\\\"port\\\":8080,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{}}}}";
    var portGiven = "{\"f:type\":{}," + port.substring(1);
    return Stream.of(
        Arguments.of(
            "an item with a key that the manifest does not have",
            TransferScope.USER_LIST_ITEMS,
            of("kubectl-edit"),
            "{\"f:spec\":%s}".formatted(port),
            portGiven),
        Arguments.of(
            "of whoever wrote it, if the server does not take the manifest",
            TransferScope.LIST_ITEMS,
            of("some-script"),
            "{\"f:spec\":%s}".formatted(port),
            portGiven),
        Arguments.of(
            "an item within an item",
            TransferScope.USER_LIST_ITEMS,
            of("k9s"),
            """
            {"f:spec":{"f:containers":{"k:{\\"name\\":\\"web\\"}":{"f:image":{},
             "f:env":{"k:{\\"name\\":\\"B\\"}":{},"k:{\\"name\\":\\"A\\"}":{}}}}}}
            """,
            "{\"f:type\":{},\"f:containers\":{\"k:{\\\"name\\\":\\\"web\\\"}\":{\"f:env\":"
                + "{\"k:{\\\"name\\\":\\\"B\\\"}\":{}}}}}"),
        Arguments.of(
            "a member of a set",
            TransferScope.USER_LIST_ITEMS,
            of("kubectl"),
            "{\"f:spec\":{\"f:set\":{\"v:\\\"b\\\"\":{},\"v:\\\"a\\\"\":{}}}}",
            "{\"f:type\":{},\"f:set\":{\"v:\\\"b\\\"\":{}}}"),
        Arguments.of(
            "everything but labels and annotations, if nothing less helps",
            TransferScope.ALL_USER_FIELDS,
            of("kubectl-patch"),
            "{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}},\"f:spec\":{\"f:other\":{}}}",
            "{\"f:type\":{},\"f:other\":{}}"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void the_rest_stays_with_whoever_wrote_it(
      String rule, TransferScope transferScope, String manager, String fields) {
    var live =
        json(
            "{\"metadata\":{\"managedFields\":[{%s,\"operation\":\"Update\",\"fieldsV1\":%s}]}}"
                .formatted(manager, fields));

    assertThat(ManagedFields.transferToHelm(live, MANIFEST, transferScope)).as(rule).isEmpty();
  }

  static Stream<Arguments> the_rest_stays_with_whoever_wrote_it() {
    var port = "{\"f:spec\":{\"f:ports\":{\"k:{\\\"port\\\":8080}\":{}}}}";
    return Stream.of(
        Arguments.of(
            "an item that the manifest has, whose protocol is the default",
            TransferScope.LIST_ITEMS,
            of("kubectl"),
            "{\"f:spec\":{\"f:ports\":{\"k:{\\\"port\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{}}}}"),
        Arguments.of(
            "a list that the manifest does not set",
            TransferScope.LIST_ITEMS,
            of("kubectl"),
            "{\"f:spec\":{\"f:volumes\":{\"k:{\\\"name\\\":\\\"v\\\"}\":{}}}}"),
        Arguments.of("what a controller adds", TransferScope.USER_LIST_ITEMS, of("reloader"), port),
        Arguments.of(
            "what Kubernetes itself writes",
            TransferScope.LIST_ITEMS,
            of("kube-controller-manager"),
            port),
        Arguments.of(
            "another program's fields", TransferScope.ALL_USER_FIELDS, of("terraform"), port),
        Arguments.of(
            "a subresource",
            TransferScope.ALL_USER_FIELDS,
            of("kubectl") + ",\"subresource\":\"scale\"",
            "{\"f:spec\":{\"f:replicas\":{}}}"),
        Arguments.of(
            "fields of another version of the API",
            TransferScope.LIST_ITEMS,
            "\"manager\":\"kubectl\",\"apiVersion\":\"v2\"",
            port),
        Arguments.of(
            "labels",
            TransferScope.ALL_USER_FIELDS,
            of("kubectl-label"),
            "{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}}}"));
  }

  @Test
  void helm_is_marked_as_due_and_emptied_entries_go() {
    var live =
        json(
            """
            {"metadata":{"resourceVersion":"7","managedFields":[
              {%s,"operation":"Update","fieldsV1":{"f:spec":{"f:ports":{"k:{\\"port\\":1}":{}}}}}]}}
            """
                .formatted(of("kubectl-edit")));

    var given =
        ManagedFields.transferToHelm(live, MANIFEST, TransferScope.USER_LIST_ITEMS).orElseThrow();

    assertThat(given).hasSize(1);
    assertThat(given.path(0).path("manager").asText()).isEqualTo("helm");
    assertThat(given.path(0).path("operation").asText()).isEqualTo("Apply");
    assertThat(given.path(0).path("time").asText()).isEqualTo(ManagedFields.APPLY_PENDING_TIME);
    assertThat(ManagedFields.patch(live, given))
        .contains("\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"");
  }

  private static String of(String manager) {
    return "\"manager\":\"%s\",\"apiVersion\":\"v1\"".formatted(manager);
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }
}
