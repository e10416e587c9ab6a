// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.hotpath;

import io.krypton.kms.config.EncryptionConfigurations;
import io.krypton.kms.config.ReadOptions;
import io.krypton.kms.config.ReadResult;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The gate reads the file whenever it may have changed. */
@State(Scope.Thread)
public class EncryptionConfigurationBenchmark {
  @Param({"1", "20"})
  int resources;

  private byte[] file = {};

  @Setup
  public void write() {
    var entries =
        IntStream.range(0, resources)
            .mapToObj(
                i ->
                    """
                    - resources: [kind%d.example.com]
                      providers:
                      - kms: {apiVersion: v2, name: kms-%d, endpoint: "unix:///run/kms-%d.sock"}
                      - identity: {}
                    """
                        .formatted(i, i, i))
            .collect(Collectors.joining());
    file =
        ("apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n"
                + entries)
            .getBytes(StandardCharsets.UTF_8);
    if (!(read() instanceof ReadResult.Loaded)) {
      throw new IllegalStateException("not a valid configuration: " + read());
    }
  }

  @Benchmark
  public ReadResult read() {
    return EncryptionConfigurations.read("bench.yaml", file, ReadOptions.DEFAULT);
  }
}
