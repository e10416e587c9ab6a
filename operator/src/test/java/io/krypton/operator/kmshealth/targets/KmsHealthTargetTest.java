// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.targets;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.api.kmshealth.KmsHealthSpec;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KmsHealthTargetTest {
  /** A definition of an earlier release lets shorter times through. */
  @ParameterizedTest
  @CsvSource({"1s, PT2M", "119s, PT2M", "2m, PT2M", "5m, PT5M"})
  void keys_converge_no_sooner_than_a_mismatch_is_reported(String wanted, Duration used)
      throws Exception {
    var spec =
        new ObjectMapper()
            .readValue("{\"convergedFor\":\"%s\"}".formatted(wanted), KmsHealthSpec.class);

    assertThat(KmsHealthTarget.convergedFor(spec)).isEqualTo(used);
  }
}
