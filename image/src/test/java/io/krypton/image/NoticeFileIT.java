// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.image.HelmProgram.GoLicences;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Needs the bill of the artifacts, which is there once the module is packaged. */
class NoticeFileIT {
  private static final Path ROOT = Path.of(System.getProperty("krypton.root"));

  @Test
  void the_notice_names_all_that_is_shipped_with_its_licence() throws Exception {
    var notice =
        NoticeFile.text(
            MavenSbom.read(ROOT.resolve(SbomMain.ARTIFACTS)),
            GoLicences.read(ROOT.resolve(SbomMain.HELM_LICENCES)));

    if (Boolean.getBoolean("notice.write")) {
      Files.writeString(ROOT.resolve(SbomMain.NOTICE), notice);
    }

    assertThat(ROOT.resolve(SbomMain.NOTICE))
        .as("write it anew: -Dit.test=NoticeIT -Dnotice.write=true")
        .content()
        .isEqualTo(notice);
    assertThat(notice.lines()).noneMatch(line -> line.endsWith(":") || line.endsWith(": "));
  }
}
