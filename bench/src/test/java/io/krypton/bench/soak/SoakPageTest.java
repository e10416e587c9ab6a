// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.soak.SoakResult.VitalSample;
import io.krypton.bench.soak.check.Invariant;
import io.krypton.bench.soak.check.Vitals;
import io.krypton.bench.soak.plan.SoakFault;
import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.TenantEdit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SoakPageTest {
  private static final int WIDTH = 120;
  private static final Invariant GOOD = new Invariant("quiet", "it rests", List.of());
  private static final Invariant BAD = new Invariant("flat", "it is flat", List.of("it grew"));

  @Test
  void a_page_tells_how_to_repeat_it_what_happened_and_what_holds() {
    var page = page(GOOD);

    assertThat(page)
        .contains(
            "make soak SOAK=\"seed=21 minutes=60 clusters=5 tenants=200\"",
            "- Java: 25",
            "- a note",
            "| quiet | it rests | holds |",
            "took 42 s after the last fault",
            "| installs | 7 |",
            "| 5:00 min | 3 | yes | 40 | 20.5 MiB | 200 MiB | 70 MiB |")
        .doesNotContain("broken", "Broken");
    for (var fault : SoakFault.values()) {
      assertThat(page).contains("| " + fault.meaning() + " | ");
    }
    for (var edit : TenantEdit.values()) {
      assertThat(page).contains("| " + edit.meaning() + " | ");
    }
  }

  @Test
  void what_does_not_hold_is_shown_with_its_violations() {
    assertThat(result(GOOD).holds()).isTrue();
    assertThat(result(GOOD, BAD).holds()).isFalse();
    assertThat(page(GOOD, BAD))
        .contains(
            "| flat | it is flat | **broken 1 ×** |", "Broken, *flat*:\n\n```\nit grew\n```\n");
  }

  @Test
  void prose_fits_on_a_screen() {
    assertThat(page(GOOD).lines())
        .filteredOn(line -> !line.startsWith("|"))
        .allMatch(line -> line.length() <= WIDTH);
  }

  private static String page(Invariant... invariants) {
    return SoakPage.of(SoakSettings.of(21), Map.of("Java", "25"), result(invariants));
  }

  private static SoakResult result(Invariant... invariants) {
    return new SoakResult(
        List.of("a note"),
        Map.of("installs", 7L),
        List.of(new VitalSample("5:00 min", 3, true, new Vitals(40, 20.5, 200, 1, 70))),
        Duration.ofSeconds(42),
        List.of(invariants));
  }
}
