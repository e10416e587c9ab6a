// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path anywhere;

  @Test
  void krypton_runs_from_any_directory_and_through_a_link() throws Exception {
    var link = Files.createSymbolicLink(anywhere.resolve("k"), Shell.KRYPTON);

    var help = new Shell(anywhere).run(LIMIT, link.toString(), "--help");

    assertThat(help.exit()).as(help.err()).isZero();
    assertThat(help.out()).contains("Usage: krypton", "sandbox");
    Files.delete(link);
  }

  @Test
  void it_finds_its_jdk_when_the_default_java_is_older_or_missing() throws Exception {
    var help =
        new Shell(anywhere)
            .without("JAVA_HOME")
            .with("PATH", "/usr/bin:/bin")
            .run(LIMIT, Shell.KRYPTON.toString(), "--version");

    assertThat(help.exit()).as(help.err()).isZero();
    assertThat(help.out()).matches("(?s)krypton \\S+ \\(Java (2[5-9]|[3-9]\\d).*\\)\\s*");
  }

  @Test
  void no_jdk_is_one_sentence_with_the_remedy() throws Exception {
    // A copy of the finder that looks nowhere: what a machine without a new Java would say.
    var finder = Files.readString(Shell.ROOT.resolve("dist/libexec/find-jdk"));
    var blind = anywhere.resolve("find-jdk");
    Files.writeString(blind, finder.replaceAll("(?s)for home in .*?; do", "for home in; do"));

    var answer =
        new Shell(anywhere)
            .without("JAVA_HOME")
            .with("PATH", "/usr/bin:/bin")
            .run(LIMIT, "bash", "-c", "command() { return 1; }; . " + blind);

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err())
        .isEqualTo(
            "krypton: needs Java 25 or newer and found none; install JDK 25 or set JAVA_HOME to one\n");
  }

  @Test
  void bad_usage_is_one_line_with_the_remedy_and_exit_code_2() throws Exception {
    var answer = new Shell(anywhere).run(LIMIT, Shell.KRYPTON.toString(), "--nonsense");

    assertThat(answer.exit()).isEqualTo(2);
    assertThat(answer.err())
        .isEqualTo("krypton: Unknown option: '--nonsense'\nTry 'krypton --help'.\n");
    assertThat(answer.out()).isEmpty();
  }

  @Test
  void nodes_without_their_programs_are_one_line_with_the_remedy() throws Exception {
    var assets = Files.createDirectory(anywhere.resolve("assets"));
    for (var binary : List.of(Binary.ETCD, Binary.KUBE_APISERVER, Binary.KUBE_CONTROLLER_MANAGER)) {
      Files.createSymbolicLink(
          assets.resolve(binary.fileName()), Assets.fromEnvironment().find(binary));
    }

    var answer =
        new Shell(anywhere)
            .with("KRYPTON_ASSETS", assets.toString())
            .without("KUBEBUILDER_ASSETS")
            .with("XDG_CACHE_HOME", anywhere.resolve("empty").toString())
            .with("XDG_STATE_HOME", anywhere.resolve("state").toString())
            .run(LIMIT, Shell.KRYPTON.toString(), "sandbox", "up", "--nodes=3");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err())
        .startsWith("krypton sandbox up: kube-scheduler, kwok not found. ")
        .contains("Remedy: run `tools/provide kube-scheduler kwok`, or set KRYPTON_ASSETS")
        .hasLineCount(1);
    assertThat(anywhere.resolve("state")).doesNotExist();
  }
}
