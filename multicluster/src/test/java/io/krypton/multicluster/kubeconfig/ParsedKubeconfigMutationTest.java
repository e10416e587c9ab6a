// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random damage to kubeconfigs; the seed is part of every failure. */
class ParsedKubeconfigMutationTest {
  private static final int ROUNDS = 1_500;
  private static final List<String> FRAGMENTS =
      List.of(
          "\n",
          "\t",
          ": ",
          "- ",
          "{",
          "}",
          "[",
          "]",
          "&a ",
          "*a",
          "!!str ",
          "<<: ",
          "|\n",
          "\"",
          "'",
          "#",
          "\0",
          "---\n",
          "...",
          "? ",
          "%YAML 1.1\n",
          "\u2028",
          "-----BEGIN ",
          "null",
          "~");

  @TempDir Path directory;

  @Test
  void damage_never_throws_and_never_runs_anything() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    var proof = directory.resolve("executed");
    var originals =
        List.of(
            TestKubeconfig.full(),
            TestKubeconfig.with(
                "server: \"https://e.test\"",
                "exec: {command: touch, args: [\"" + proof + "\"]}, token: a.b.c"));

    try (var clients = new ClientFactory(RequestObserver.none())) {
      for (int round = 0; round < ROUNDS; round++) {
        var damaged = damage(originals.get(round % originals.size()), random);
        try {
          var result = ParsedKubeconfig.parse(damaged);
          if (result instanceof ParsedKubeconfig.Accepted accepted) {
            accepted.credentialsExpireAt();
            assertThat(ParsedKubeconfig.parse(accepted.toYaml())).isEqualTo(accepted);
            clients.connect("any", accepted, ClientSettings.remote("test")).close();
          }
        } catch (RuntimeException | Error e) {
          throw new AssertionError("seed " + seed + ", round " + round, e);
        }
      }
    }

    assertThat(Files.exists(proof)).as("seed %s: exec was run", seed).isFalse();
  }

  private static byte[] damage(String text, Random random) {
    var damaged = new StringBuilder(text);
    for (int cuts = 1 + random.nextInt(4); cuts > 0; cuts--) {
      int at = random.nextInt(damaged.length());
      switch (random.nextInt(4)) {
        case 0 -> damaged.deleteCharAt(at);
        case 1 -> damaged.insert(at, FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
        case 2 -> damaged.setCharAt(at, (char) random.nextInt(0x250));
        default -> {
          int end = Math.min(damaged.length(), at + random.nextInt(200));
          damaged.insert(random.nextInt(damaged.length()), damaged.substring(at, end));
        }
      }
    }
    return damaged.toString().getBytes(StandardCharsets.UTF_8);
  }
}
