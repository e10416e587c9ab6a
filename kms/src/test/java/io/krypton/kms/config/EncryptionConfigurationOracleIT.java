// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the table of files, which the reader is tested with, against the real kube-apiserver. */
class EncryptionConfigurationOracleIT {
  @TempDir private static Path directory;

  private record Opinion(ConfigurationCase row, String ours, String theirs) {}

  @Test
  void kube_apiserver_decides_and_speaks_as_the_table_says()
      throws IOException, InterruptedException {
    var cases = ConfigurationCase.all();
    var server = new KubeApiServer(directory);
    // The first run creates the certificates that the others share.
    var first = opinion(server, cases.getFirst(), 0);
    assertThat(first.theirs()).isEmpty();

    assertThat(opinions(server, cases)).allSatisfy(EncryptionConfigurationOracleIT::compare);
  }

  private static List<Opinion> opinions(KubeApiServer server, List<ConfigurationCase> cases)
      throws InterruptedException {
    int parallel = Runtime.getRuntime().availableProcessors();
    try (var executor = Executors.newFixedThreadPool(parallel)) {
      var tasks =
          IntStream.range(0, cases.size())
              .mapToObj(i -> (Callable<Opinion>) () -> opinion(server, cases.get(i), i))
              .toList();
      return executor.invokeAll(tasks).stream().map(future -> future.resultNow()).toList();
    }
  }

  private static Opinion opinion(KubeApiServer server, ConfigurationCase row, int index) {
    try {
      var file = Files.write(directory.resolve("case-" + index), row.bytes());
      return new Opinion(row, row.textFor(file.toString()), server.opinionOn(file, row.options()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compare(Opinion opinion) {
    var row = opinion.row();
    var difference = row.difference();
    if (difference == null) {
      assertThat(opinion.theirs()).as(row.name()).isEqualTo(opinion.ours());
      return;
    }
    assertThat(opinion.theirs().isEmpty())
        .as("accepted: " + row.name())
        .isEqualTo(difference == Difference.STRICTER);
    assertThat(difference.comparable(opinion.theirs()))
        .as(row.name())
        .isEqualTo(difference.comparable(opinion.ours()));
    if (difference != Difference.SOURCE_POSITION) {
      assertThat(opinion.theirs()).as(row.name()).isNotEqualTo(opinion.ours());
    }
  }
}
