// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class TenantModelTest {
  private static final TenantStep CREATED = step(TenantEdit.CREATE, 4, 1);

  @Test
  void a_tenant_has_the_values_it_was_given_last() {
    assertThat(living(CREATED)).containsExactly(Map.entry("soak-4", "soak-value-1"));
    assertThat(living(CREATED, step(TenantEdit.VALUES, 4, 2)))
        .containsExactly(Map.entry("soak-4", "soak-value-2"));
    assertThat(living(CREATED, step(TenantEdit.RECREATE, 4, 3)))
        .containsExactly(Map.entry("soak-4", "soak-value-3"));
  }

  @Test
  void a_deleted_one_is_remembered() {
    var model = TenantModel.after(List.of(CREATED, step(TenantEdit.DELETE, 4, 0)));

    assertThat(model.living()).isEmpty();
    assertThat(model.deleted()).containsExactly("soak-4");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"CREATE", "DELETE", "RECREATE", "VALUES"})
  void what_people_do_by_hand_changes_nothing(TenantEdit edit) {
    assertThat(living(CREATED, step(edit, 4, 9)))
        .containsExactly(Map.entry("soak-4", "soak-value-1"));
  }

  @Test
  void every_edit_is_drawn_at_some_time() {
    var drawn = Stream.iterate(0, it -> it + 1).limit(1000).map(TenantEdit::drawn).distinct();

    assertThat(drawn).containsExactlyInAnyOrder(TenantEdit.values());
  }

  private static Map<String, String> living(TenantStep... steps) {
    return TenantModel.after(Arrays.asList(steps)).living();
  }

  private static TenantStep step(TenantEdit edit, int tenant, int value) {
    return new TenantStep(Duration.ZERO, edit, tenant, value);
  }
}
