// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.MessageText;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import io.krypton.operator.release.inventory.Manifest.Parsed;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestTest {

  @Test
  void documents_are_split_into_objects() {
    var objects =
        objects(
            """
            ---
            # Source: web/templates/a.yaml
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: settings
            data:
              hour: "22:30"
            ---
            # Source: web/templates/empty.yaml
            ---
            # Source: web/templates/b.yaml
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: elsewhere}
            spec: {template: {spec: {volumes: [{configMap: {defaultMode: 0644}}]}}}
            """);
    assertThat(objects)
        .map(ManifestObject::toString)
        .containsExactly("ConfigMap/settings", "Deployment/elsewhere/web");
    assertThat(
            objects
                .get(1)
                .content()
                .at("/spec/template/spec/volumes/0/configMap/defaultMode")
                .asInt())
        .isEqualTo(420);
  }

  @Test
  void a_list_stands_for_its_items() {
    assertThat(
            objects(
                """
                apiVersion: v1
                kind: List
                items:
                - {apiVersion: v1, kind: Secret, metadata: {name: a}}
                - {apiVersion: v1, kind: Secret, metadata: {name: b}}
                """))
        .map(ManifestObject::name)
        .containsExactly("a", "b");
  }

  @Test
  void content_never_shows() {
    var object =
        objects("{apiVersion: v1, kind: Secret, metadata: {name: a}, stringData: {p: hunter2}}");
    assertThat(object.toString()).isEqualTo("[Secret/a]");
  }

  @Test
  void what_is_no_object_is_told() {
    assertThat(Manifest.parse("just text")).isInstanceOf(Parsed.Unreadable.class);
    assertThat(Manifest.parse("a: [")).isInstanceOf(Parsed.Unreadable.class);
    assertThat(Manifest.parse("kind: ConfigMap")).isInstanceOf(Parsed.Unreadable.class);
    assertThat(Manifest.parse("")).isEqualTo(new Parsed.Intact(new Manifest(List.of())));
  }

  @Test
  void long_lists_of_names_are_cut() {
    var many = java.util.stream.IntStream.range(0, 23).mapToObj(i -> "ConfigMap/ns/" + i).toList();
    assertThat(MessageText.list(many)).endsWith("ConfigMap/ns/19 and 3 more");
    assertThat(MessageText.list(many.subList(0, 2))).isEqualTo("ConfigMap/ns/0, ConfigMap/ns/1");
  }

  private static List<ManifestObject> objects(String text) {
    return ((Parsed.Intact) Manifest.parse(text)).manifest().objects();
  }
}
