// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static io.krypton.operator.kmshealth.aggregate.Scenario.oldKeys;
import static io.krypton.operator.kmshealth.aggregate.Scenario.said;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** To destroy an old key is the purpose of a rotation. */
class OldKeysTest {
  private static final String WELL = "FALSE AsExpected: ";
  private static final String HEX = "ab".repeat(32);

  private final Scenario scenario = new Scenario();

  @Test
  void an_old_key_that_cannot_be_read_degrades_nothing_and_has_a_condition_of_its_own() {
    assertThat(oldKeys(scenario.allHealthy().look())).isEqualTo("-");
    scenario.reports("b", "2=healthy:kek:unreadable:" + HEX, "1=healthy:old");
    var looked = scenario.look();

    assertThat(said(looked)).isEqualTo(WELL);
    assertThat(looked.nodesHealthy()).isEqualTo("3/3");
    assertThat(oldKeys(looked))
        .isEqualTo(
            "TRUE OldKeyUnreadable: node b keyID 2: cannot decrypt data of remote key sha256:"
                + HEX);
    assertThat(scenario.after(600).oldKeys()).as("to the byte").isEqualTo(looked.oldKeys());
  }

  @Test
  void what_was_retired_on_purpose_is_no_news() {
    scenario.retired = Set.of("sha256:" + HEX);
    scenario.allHealthy().reports("b", "2=healthy:kek:unreadable:" + HEX, "1=healthy:old");
    assertThat(oldKeys(scenario.look())).isEqualTo("-");

    scenario.retired = Set.of();
    assertThat(oldKeys(scenario.look())).startsWith("TRUE");
    scenario.retired = Set.of("sha256:" + HEX);
    assertThat(oldKeys(scenario.look())).isEqualTo(WELL);
  }

  @Test
  void reporters_of_old_call_it_unhealthy_and_are_understood() {
    scenario.allHealthy();
    scenario.messages.computeIfPresent(
        "c",
        (node, lines) ->
            lines.replaceFirst("status=healthy", "status=unhealthy cause=OldKeyUnreadable"));
    var looked = scenario.look();
    assertThat(said(looked)).isEqualTo(WELL);
    assertThat(oldKeys(looked))
        .isEqualTo(
            "TRUE OldKeyUnreadable: node c keyID 2: cannot decrypt data of an older remote key");
  }
}
