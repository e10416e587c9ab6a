// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TranscriptTest {
  private static final Path DIST = Path.of("/home/me/krypton/dist");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "home  https://127.0.0.1:40123 | home  https://127.0.0.1:PORT",
        "$ krypton operator --chart-repo=/home/me/krypton/dist/share/x &"
            + "| $ krypton operator --chart-repo=dist/share/x &",
        "$ krypton plugin --socket=unix:///tmp/krypton-demo123/kms.sock &"
            + "| $ krypton plugin --socket=unix:///tmp/krypton-demo/kms.sock &",
        "$ kubectl wait --timeout=90s | $ kubectl wait --timeout=90s",
        "$ kill -9 4711 | $ kill -9 PID",
        "the gate opens ... 3.4 s | the gate opens … done",
        "the gate opens  0.4 s | the gate opens … done",
        "acme   Ready   acme   True   12s | acme   Ready   acme   True   Ns",
        "a 2026-11-16 15:31:43.123 +0000 UTC b | a TIME b",
        "etcd holds: k8s:enc:kms:v2:krypton-dev:..x… (99 bytes, no plain text)"
            + "| etcd holds: k8s:enc:kms:v2:krypton-dev:… (no plain text)"
      })
  void what_differs_from_run_to_run_is_replaced(String printed, String expected) {
    assertThat(Transcript.of(printed, DIST).lines()).containsExactly(expected);
  }

  @Test
  void signs_of_life_are_left_out() {
    assertThat(Transcript.of("a\n      ...\nb\n", DIST).lines()).containsExactly("a", "b");
  }

  @Test
  void a_page_gives_back_the_story_it_was_made_of() {
    var told = Transcript.of("\n[1/2] First\n      $ ls\n      file\n[2/2] Second\n", DIST);

    assertThat(told.story()).containsExactly("[1/2] First", "      $ ls", "[2/2] Second");
    assertThat(Transcript.onPage(told.page(Duration.ofSeconds(3))).story()).isEqualTo(told.story());
  }
}
