// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak;

import io.krypton.bench.soak.check.Invariant;
import io.krypton.bench.soak.check.Vitals;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a soak.
 *
 * @param notes what a reader has to know to judge it
 * @param happened what operators, Helm and people did, by what it is called
 * @param curve how the surviving operator changed
 * @param settled how long it took until all was as it should be, after the last fault
 */
public record SoakResult(
    List<String> notes,
    Map<String, Long> happened,
    List<VitalSample> curve,
    Duration settled,
    List<Invariant> invariants) {
  public SoakResult {
    notes = List.copyOf(notes);
    happened = new LinkedHashMap<>(happened);
    curve = List.copyOf(curve);
    invariants = List.copyOf(invariants);
  }

  public boolean holds() {
    return invariants.stream().allMatch(Invariant::holds);
  }

  /**
   * One row of the curve.
   *
   * @param when minutes after the beginning, or what else names the moment
   * @param start which start of the operator it was
   */
  public record VitalSample(String when, int start, boolean leads, Vitals vitals) {}
}
