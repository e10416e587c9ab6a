// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class OwnWritesTest {
  private static final String KEY = "edge/ns/acme";

  private final OwnWrites<ConfigMap> writes = new OwnWrites<>();

  private static ConfigMap version(String resourceVersion) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName("acme")
        .withResourceVersion(resourceVersion)
        .endMetadata()
        .build();
  }

  private String newest(String cached) {
    return writes.newest(KEY, version(cached)).getMetadata().getResourceVersion();
  }

  @Test
  void what_our_own_write_has_replaced_is_outdated() {
    writes.replaced(KEY, version("10"), version("11"));
    writes.replaced(KEY, version("11"), version("12"));

    assertThat(newest("10")).isEqualTo("12");
    assertThat(newest("11")).isEqualTo("12");
    assertThat(newest("12")).isEqualTo("12");
  }

  @Test
  void what_somebody_else_wrote_counts_as_the_cache_shows_it() {
    writes.replaced(KEY, version("10"), version("11"));

    assertThat(newest("13")).isEqualTo("13");
    assertThat(newest("10")).as("the cache has caught up, so nothing is kept").isEqualTo("10");
  }

  @Test
  void a_write_that_changes_nothing_makes_nothing_outdated() {
    writes.replaced(KEY, version("10"), version("10"));

    assertThat(newest("10")).isEqualTo("10");
  }

  @Test
  void an_owner_of_the_same_name_in_another_cluster_is_another_one() {
    writes.replaced(KEY, version("10"), version("11"));
    var other = version("10");
    other.getMetadata().setUid("of a cluster that took the name over");

    assertThat(writes.newest(KEY, other)).isSameAs(other);
  }

  @Test
  void owners_are_told_apart_and_forgotten() {
    writes.replaced(KEY, version("10"), version("11"));
    writes.replaced("edge/ns/other", version("20"), version("21"));
    writes.forget(KEY);

    assertThat(newest("10")).isEqualTo("10");
    assertThat(newest("20")).isEqualTo("20");
  }
}
