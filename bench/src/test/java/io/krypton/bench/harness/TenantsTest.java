// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TenantsTest {
  @ParameterizedTest
  @CsvSource({"True, 2, 2, true", "True, 1, 2, false", "False, 2, 2, false", "True, 1, 0, true"})
  void ready_counts_for_the_generation_it_was_said_of(
      String status, int observed, int generation, boolean ready) throws Exception {
    var tenant =
        new ObjectMapper()
            .readTree(
                """
                {"status":{"conditions":[
                  {"type":"Reconciling","status":"False","observedGeneration":2},
                  {"type":"Ready","status":"%s","observedGeneration":%d}]}}
                """
                    .formatted(status, observed));

    assertThat(Tenants.isReady(tenant, generation)).isEqualTo(ready);
  }
}
