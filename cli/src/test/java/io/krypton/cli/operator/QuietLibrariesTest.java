// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.internal.AbstractWatchManager;
import io.fabric8.kubernetes.client.informers.impl.cache.Reflector;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class QuietLibrariesTest {
  /** Our own line about a stale cache says it, once. */
  @Test
  void a_watch_that_the_server_refuses_is_no_error_in_the_log() {
    OperatorCommand.quietenLibraries();

    assertThat(LoggerFactory.getLogger(AbstractWatchManager.class).isErrorEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger(Reflector.class).isWarnEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger(Reflector.class).isErrorEnabled()).isTrue();
  }
}
