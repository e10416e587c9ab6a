// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.base.crypto.Sha256;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.Jars.StandardLicenceTexts;
import io.krypton.image.SystemLibraries.PackageDatabase;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageSbomTest {
  private static final String JAR = "opt/krypton/lib/app/library-1.0.jar";
  private static final byte[] NOTICE = "notice".getBytes(StandardCharsets.UTF_8);

  @TempDir Path temp;
  private Path root;

  @BeforeEach
  void a_small_root() throws IOException {
    root = temp.resolve("root");
    file("etc/passwd", "krypton");
    file("lib/x86_64-linux-gnu/libc.so.6", "libc");
    file("opt/krypton/lib/app/krypton.cfg", "[Application]");
    jar(Map.of("META-INF/LICENSE.txt", "do as you like"));
  }

  @Test
  void every_file_is_a_part_of_what_it_belongs_to() throws Exception {
    var bill = bill("Apache-2.0");

    assertThat(names(bill.path("components").get(0)))
        .containsExactly("/" + JAR, "/licenses/jars/library-1.0/LICENSE.txt");
    assertThat(names(bill.path("components").get(1)))
        .containsExactly("/licenses/system/libc6/copyright", "/lib/x86_64-linux-gnu/libc.so.6");
    assertThat(bill.at("/components/1/purl").asText())
        .isEqualTo("pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12");
    assertThat(names(bill.at("/metadata/component")))
        .containsExactlyInAnyOrder(
            "/etc/passwd",
            "/licenses/NOTICE",
            "/opt/krypton/lib/app/krypton.cfg",
            "/usr/share/sbom/krypton.cdx.json");
  }

  @Test
  void a_file_of_unknown_origin_is_refused_by_its_name() throws Exception {
    file("usr/local/bin/backdoor", "curl");

    assertThatThrownBy(() -> bill("Apache-2.0"))
        .isInstanceOf(UncoveredFileException.class)
        .hasMessageStartingWith("/usr/local/bin/backdoor: no component");
  }

  @Test
  void a_link_of_unknown_origin_is_refused_too() throws Exception {
    Files.createSymbolicLink(root.resolve("shell"), Path.of("/bin/sh"));

    assertThatThrownBy(() -> bill("Apache-2.0")).hasMessageStartingWith("/shell: no component");
  }

  @Test
  void a_jar_with_other_bytes_than_the_resolved_artifact_is_refused() throws Exception {
    var resolved = mavenBill("Apache-2.0");
    jar(Map.of("META-INF/LICENSE.txt", "do as I like"));

    assertThatThrownBy(() -> bill(resolved))
        .isInstanceOf(UncoveredFileException.class)
        .hasMessageContaining(JAR + ": no artifact of this build has its bytes");
  }

  @Test
  void a_jar_without_a_licence_text_gets_that_of_its_licence() throws Exception {
    jar(Map.of("Some.class", "code"));

    assertThat(names(bill("Apache-2.0").at("/metadata/component")))
        .contains("/licenses/texts/Apache-2.0.txt");
    assertThat(root.resolve("licenses/texts/Apache-2.0.txt")).content().contains("Apache License");
  }

  @Test
  void a_jar_without_any_known_text_is_refused() throws Exception {
    jar(Map.of("Some.class", "code"));

    assertThatThrownBy(() -> bill("Sleepycat"))
        .isInstanceOf(UncoveredFileException.class)
        .hasMessageContaining("there is none for [Sleepycat]");
  }

  @Test
  void a_library_that_no_package_owns_is_told_by_its_bytes() throws Exception {
    file("lib64/own.so", "built by hand");

    var own = bill("Apache-2.0").path("components").get(1);

    assertThat(own.path("name").asText()).isEqualTo("own.so");
    assertThat(own.at("/components/0/hashes/0/content").asText())
        .isEqualTo(Sha256.hex(root.resolve("lib64/own.so")));
  }

  @Test
  void the_same_root_gives_the_same_bytes() throws Exception {
    var artifacts = mavenBill("Apache-2.0");
    var first = bytes(artifacts);
    Files.delete(root.resolve("usr/share/sbom/krypton.cdx.json"));

    assertThat(bytes(artifacts)).isEqualTo(first);
    assertThat(root.resolve("usr/share/sbom/krypton.cdx.json")).hasBinaryContent(first);
  }

  private JsonNode bill(String licence) throws IOException {
    return bill(mavenBill(licence));
  }

  private JsonNode bill(MavenSbom artifacts) throws IOException {
    return new ObjectMapper().readTree(bytes(artifacts));
  }

  private byte[] bytes(MavenSbom artifacts) throws IOException {
    var texts = new StandardLicenceTexts();
    PackageDatabase packages =
        path ->
            path.contains("libc.so")
                ? Optional.of(
                    new PackageDatabase.Owner(
                        "libc6", "2.36-9+deb12u14", "amd64", "glibc", Optional.of(NOTICE)))
                : Optional.empty();
    var origins = List.of(new Jars(artifacts, texts), new SystemLibraries(packages, "debian-12"));
    return new ImageSbom("krypton", "1.0", artifacts, origins, texts)
        .writeInto(ImageRoot.of(root), NOTICE);
  }

  /** As the plugin writes it, with the library that is in the root now. */
  private MavenSbom mavenBill(String licence) throws IOException {
    var file = temp.resolve("bom.json");
    Files.writeString(
        file,
        """
        {"components": [{"group": "org.example", "name": "library", "version": "1.0",
          "hashes": [{"alg": "SHA-256", "content": "%s"}],
          "licenses": [{"license": {"id": "%s"}}]}]}
        """
            .formatted(Sha256.hex(root.resolve(JAR)), licence));
    return MavenSbom.read(file);
  }

  private static List<String> names(JsonNode component) {
    return component.findValuesAsText("name").stream().filter(it -> it.startsWith("/")).toList();
  }

  private void file(String path, String content) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.writeString(root.resolve(path), content);
  }

  private void jar(Map<String, String> entries) throws IOException {
    try (var zip = new ZipOutputStream(Files.newOutputStream(root.resolve(JAR)))) {
      for (var entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
