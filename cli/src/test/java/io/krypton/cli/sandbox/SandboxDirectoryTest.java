// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SandboxDirectoryTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the same,              2026-11-17T16:00:00Z, 2026-11-17T16:00:00Z, true",
    "a clock that was set,  2026-11-17T16:00:00Z, 2026-11-17T15:59:59Z, true",
    "somebody else later,   2026-11-17T16:00:00Z, 2026-11-17T18:00:00Z, false",
    "a system that is mute, '',                   '',                   true",
    "nothing was noted,     '',                   2026-11-17T16:00:00Z, false",
  })
  void a_keeper_is_known_by_its_start(String what, String noted, String told, boolean same) {
    assertThat(SandboxDirectory.isSameStart(noted, told)).isEqualTo(same);
  }
}
