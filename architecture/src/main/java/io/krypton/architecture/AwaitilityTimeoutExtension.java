// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A wait without a limit of its own ends after a minute, in place of Awaitility's ten seconds: what
 * takes a moment on an idle machine may take many on a busy one. JUnit finds it by itself.
 */
public final class AwaitilityTimeoutExtension implements BeforeAllCallback {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(TIMEOUT);
  }
}
