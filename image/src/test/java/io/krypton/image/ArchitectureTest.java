// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import io.krypton.architecture.HouseRules;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  @Test
  void the_house_rules_hold() {
    HouseRules.holdFor("io.krypton.image");
  }
}
