package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Needs the bill of the artifacts, which is there once the module is packaged. */
class NoticeIT {
  private static final Path ROOT = Path.of(System.getProperty("krypton.root"));

  @Test
  void the_notice_names_all_that_is_shipped_with_its_licence() throws Exception {
    var notice =
        Notice.text(
            MavenBill.read(ROOT.resolve(BillMain.ARTIFACTS)),
            GoLicences.read(ROOT.resolve(BillMain.HELM_LICENCES)));

    if (Boolean.getBoolean("notice.write")) {
      Files.writeString(ROOT.resolve(BillMain.NOTICE), notice);
    }

    assertThat(ROOT.resolve(BillMain.NOTICE))
        .as("write it anew: -Dit.test=NoticeIT -Dnotice.write=true")
        .content()
        .isEqualTo(notice);
    assertThat(notice.lines()).noneMatch(line -> line.endsWith(":") || line.endsWith(": "));
  }
}
