// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.hotpath;

import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.values.ChartValues;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Every look at a Tenant computes one. */
@State(Scope.Thread)
public class FingerprintBenchmark {
  @Param({"0", "20", "500"})
  int leaves;

  private ChartValues chartValues = ChartValues.of(Map.of());

  @Setup
  public void fill() {
    var tree = new LinkedHashMap<String, Object>();
    for (var i = 0; i < leaves; i++) {
      tree.put("key-" + i, i % 3 == 0 ? List.of("a", i) : "value " + i);
    }
    chartValues = ChartValues.of(tree);
  }

  @Benchmark
  public Fingerprint fingerprint() {
    return Fingerprint.of("https://charts.example.com", "echo", "1.2.3", chartValues);
  }
}
