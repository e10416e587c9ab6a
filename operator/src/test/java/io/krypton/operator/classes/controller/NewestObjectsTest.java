// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class NewestObjectsTest {
  private final NewestObjects<ConfigMap> newest = new NewestObjects<>();

  private static ConfigMap object(String uid, String version) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("a")
        .withUid(uid)
        .withResourceVersion(version)
        .endMetadata()
        .build();
  }

  @Test
  void a_cache_that_is_behind_does_not_take_back_what_was_read() {
    newest.seen(object("u", "100"));

    assertThat(newest.newest(object("u", "99"))).isEqualTo(object("u", "100"));
    assertThat(newest.newest(object("u", "101"))).isEqualTo(object("u", "101"));
    assertThat(newest.newest(object("u", "100"))).isEqualTo(object("u", "101"));
  }

  @Test
  void an_object_that_was_made_anew_is_another_one() {
    newest.seen(object("u", "100"));

    assertThat(newest.newest(object("v", "7"))).isEqualTo(object("v", "7"));
  }

  @Test
  void versions_that_are_no_numbers_are_taken_as_they_come() {
    newest.seen(object("u", "b"));

    assertThat(newest.newest(object("u", "a"))).isEqualTo(object("u", "a"));
  }
}
