// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexedStoreTest {
  private final IndexedStore<ConfigMap> store =
      new IndexedStore<>(
          Map.of("owner", map -> List.copyOf(map.getMetadata().getLabels().values())));

  private static ConfigMap map(String name, String version, String owner) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("ns")
        .withName(name)
        .withResourceVersion(version)
        .addToLabels("owner", owner)
        .endMetadata()
        .build();
  }

  @Test
  void an_object_is_found_by_name_and_by_index_only_where_it_is_now() {
    store.put(map("a", "1", "x"));
    store.put(map("a", "2", "y"));
    assertThat(store.get("ns", "a")).contains(map("a", "2", "y"));
    assertThat(store.get("", "a")).isEmpty();
    assertThat(store.byIndex("owner", "x")).isEmpty();
    assertThat(store.byIndex("owner", "y")).containsExactly(map("a", "2", "y"));
    store.remove(map("a", "3", "z"));
    assertThat(store.byIndex("owner", "y")).isEmpty();
    assertThat(store.list()).isEmpty();
  }

  @Test
  void a_new_list_tells_what_was_added_changed_and_removed_and_nothing_else() {
    store.put(map("same", "1", "x"));
    store.put(map("changed", "1", "x"));
    store.put(map("gone", "1", "x"));
    var changes = new ArrayList<String>();
    store.replace(
        List.of(map("same", "1", "x"), map("changed", "2", "x"), map("new", "3", "x")),
        (before, after) ->
            changes.add(
                (before == null ? "-" : before.getMetadata().getName())
                    + ">"
                    + (after == null ? "-" : after.getMetadata().getName())));
    assertThat(changes).containsExactly("changed>changed", "->new", "gone>-");
    assertThat(store.list()).hasSize(3);
  }

  @Test
  void an_unknown_index_is_named() {
    assertThatThrownBy(() -> store.byIndex("colour", "red"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("colour")
        .hasMessageContaining("owner");
  }
}
