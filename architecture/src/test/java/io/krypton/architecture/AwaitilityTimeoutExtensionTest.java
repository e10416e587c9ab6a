// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

class AwaitilityTimeoutExtensionTest {
  @Test
  void junit_finds_it() {
    assertThat(ServiceLoader.load(Extension.class))
        .anyMatch(AwaitilityTimeoutExtension.class::isInstance);
  }
}
