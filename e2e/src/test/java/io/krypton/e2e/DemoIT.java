// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Order(14)
class DemoIT {
  private static final Path PAGE = Shell.ROOT.resolve("docs/demo.md");

  @TempDir Path anywhere;

  @Test
  void the_demo_shows_the_main_job_and_leaves_nothing_behind() throws Exception {
    var temp = Files.createDirectory(anywhere.resolve("tmp"));

    var begun = System.nanoTime();
    var demo =
        new Shell(anywhere)
            .with("KRYPTON_JAVA_OPTS", "-Djava.io.tmpdir=" + temp)
            .run(Duration.ofMinutes(4), Shell.KRYPTON.toString(), "sandbox", "demo");
    var took = Duration.ofNanos(System.nanoTime() - begun);

    assertThat(demo.exit()).as(demo.out() + demo.err()).isZero();
    assertThat(demo.out())
        .contains("home  https://127.0.0.1:", "edge  https://127.0.0.1:")
        .contains("etcd holds: k8s:enc:kms:v2:krypton-dev:")
        .containsPattern("acme +Ready +acme +True")
        .contains("kryptondeployment.mesh.openkcm.io/payments condition met")
        .contains("triggered repair: ConfigMap/acme/greeting")
        .containsPattern("cluster +True +PluginError")
        .containsPattern("cluster +False +AsExpected")
        .contains("Nothing is left behind.");
    assertThat(temp).isEmptyDirectory();
    assertThat(ProcessHandle.allProcesses().flatMap(it -> it.info().commandLine().stream()))
        .noneMatch(line -> line.contains(temp.toString()));
    thePageTellsTheSameStory(Transcript.of(demo.out(), Shell.ROOT.resolve("dist")), took);
  }

  /** With {@code -Dtranscript.write=true} the page is written first, from this very run. */
  private static void thePageTellsTheSameStory(Transcript told, Duration took) throws IOException {
    if (Boolean.getBoolean("transcript.write")) {
      Files.writeString(PAGE, told.page(took));
    }
    assertThat(Transcript.onPage(Files.readString(PAGE)).story())
        .as("the demo has changed; bring the page up to date with: make transcript")
        .isEqualTo(told.story());
  }

  @Test
  void without_binaries_the_demo_says_which_are_missing_and_what_to_do() throws Exception {
    var demo =
        new Shell(anywhere)
            .with("XDG_CACHE_HOME", anywhere.resolve("empty").toString())
            .without("KRYPTON_ASSETS")
            .without("KUBEBUILDER_ASSETS")
            .run(Duration.ofMinutes(1), Shell.KRYPTON.toString(), "sandbox", "demo");

    assertThat(demo.exit()).isEqualTo(1);
    assertThat(demo.err())
        .contains("krypton sandbox demo: ", "kubectl", "make tools")
        .doesNotContain("\tat ");
  }
}
