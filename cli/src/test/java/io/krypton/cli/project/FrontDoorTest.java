// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.project;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people look for first is there, and says what is true. */
class FrontDoorTest {
  /** Of https://www.apache.org/licenses/LICENSE-2.0.txt, byte by byte. */
  private static final String APACHE_2_0 =
      "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30";

  private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern POM_VERSION =
      Pattern.compile("<artifactId>krypton</artifactId>\\s*<version>([^<]+)</version>");
  private static final Pattern CHANGELOG_HEADING = Pattern.compile("(?m)^(##+) (.+)$");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "README.md",
        "LICENSE",
        "NOTICE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "CODE_OF_CONDUCT.md",
        "SECURITY.md",
        ".editorconfig",
        ".gitattributes",
        ".github/CODEOWNERS",
        ".github/PULL_REQUEST_TEMPLATE.md",
        ".github/dependabot.yml",
        "charts/krypton-operator/README.md"
      })
  void it_is_there(String file) {
    assertThat(Repository.file(file)).isNotEmptyFile();
  }

  @Test
  void the_licence_is_the_text_of_apache_2_0() throws Exception {
    var sum =
        MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(Repository.file("LICENSE")));

    assertThat(HexFormat.of().formatHex(sum)).isEqualTo(APACHE_2_0);
    assertThat(
            Repository.yaml("charts/krypton-operator/Chart.yaml")
                .path("annotations")
                .path("artifacthub.io/license")
                .asText())
        .isEqualTo("Apache-2.0");
  }

  @Test
  void the_notice_names_the_product_first() throws IOException {
    assertThat(Repository.text("NOTICE").lines().findFirst()).contains("Krypton");
  }

  @Test
  void the_readme_leads_to_all_of_it() throws IOException {
    assertThat(Repository.text("README.md"))
        .contains("(LICENSE)", "(NOTICE)", "(SECURITY.md)", "(CONTRIBUTING.md)")
        .contains("(CHANGELOG.md)", "(CODE_OF_CONDUCT.md)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"CHANGELOG.md", "CODE_OF_CONDUCT.md", "SECURITY.md"})
  void every_link_to_a_file_leads_somewhere(String page) throws IOException {
    assertThat(LINK.matcher(Repository.text(page)).results().map(found -> found.group(1)))
        .filteredOn(link -> !link.contains("://"))
        .isNotEmpty()
        .allSatisfy(link -> assertThat(Repository.file(link)).exists());
  }

  @Test
  void the_changelog_keeps_its_form() throws IOException {
    var headings = CHANGELOG_HEADING.matcher(Repository.text("CHANGELOG.md")).results().toList();

    assertThat(headings.getFirst().group(2)).isEqualTo("[Unreleased]");
    assertThat(headings)
        .allSatisfy(
            heading ->
                assertThat(heading.group(2))
                    .matches(
                        heading.group(1).equals("##")
                            ? "\\[Unreleased]|\\[\\d+\\.\\d+\\.\\d+] - \\d{4}-\\d{2}-\\d{2}"
                            : "Added|Changed|Deprecated|Removed|Fixed|Security"));
  }

  @Test
  void chart_and_pom_are_of_one_version() throws IOException {
    var pom = POM_VERSION.matcher(Repository.text("pom.xml"));
    assertThat(pom.find()).isTrue();
    var chart = Repository.yaml("charts/krypton-operator/Chart.yaml");
    var version = pom.group(1).replaceFirst("-SNAPSHOT$", "");

    assertThat(version).matches("\\d+\\.\\d+\\.\\d+");
    assertThat(chart.path("version").asText()).isEqualTo(version);
    assertThat(chart.path("appVersion").asText()).isEqualTo(version);
    if (!pom.group(1).endsWith("-SNAPSHOT")) {
      assertThat(Repository.text("CHANGELOG.md")).contains("\n## [%s] - ".formatted(version));
    }
  }
}
