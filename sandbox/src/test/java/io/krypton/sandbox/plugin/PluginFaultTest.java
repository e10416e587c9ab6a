// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PluginFaultTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "none|None[]",
        "down|Down[]",
        "refuse|Refuse[]",
        "hang|Hang[]",
        "slow=1500ms|Slow[delay=PT1.5S]",
        "slow=1m30s|Slow[delay=PT1M30S]",
        "unhealthy|Unhealthy[healthz=unhealthy on demand]",
        "unhealthy=disk=full|Unhealthy[healthz=disk=full]",
        "unhealthy=|Unhealthy[healthz=]",
        "error=UNAVAILABLE|Failing[call=STATUS, code=UNAVAILABLE, text=status fails on demand]",
        "encrypt-error=NOT_FOUND:no: key|Failing[call=ENCRYPT, code=NOT_FOUND, text=no: key]",
        "decrypt-error=DATA_LOSS|Failing[call=DECRYPT, code=DATA_LOSS, text=decrypt fails on demand]",
        "wrong-key|WrongKey[]",
        "garbage|Garbage[]",
        "keyid=empty|BadKeyId[tooLong=false]",
        "keyid=long|BadKeyId[tooLong=true]",
        "version=v3|Version[version=v3]",
      })
  void every_mode_is_understood(String mode, String fault) {
    assertThat(PluginFault.parse(mode).orElseThrow()).hasToString(fault);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "None",
        "down=1",
        "slow",
        "slow=",
        "slow=fast",
        "error",
        "error=OK",
        "error=unavailable",
        "keyid",
        "keyid=x",
        "version",
        "boom"
      })
  void anything_else_is_no_mode(String mode) {
    assertThat(PluginFault.parse(mode)).isEmpty();
  }

  @Test
  void a_fault_file_takes_known_modes_only(@TempDir Path directory) throws IOException {
    var file = new FaultFile(directory.resolve("fault"));
    assertThat(file.read()).isEqualTo("none");
    file.write("slow=2s");
    assertThat(file.read()).isEqualTo("slow=2s");
    assertThatThrownBy(() -> file.write("boom"))
        .hasMessageStartingWith("unknown fault \"boom\", use none");
    Files.writeString(file.path(), "  hang \nsecond line\n");
    assertThat(file.read()).isEqualTo("hang");
  }
}
