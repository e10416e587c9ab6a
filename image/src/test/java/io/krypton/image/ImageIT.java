// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.base.crypto.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds the images once, from the distribution that is there, and looks into the archives. */
class ImageIT {
  private static final Path ROOT = Path.of(System.getProperty("krypton.root"));
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The images take hundreds of megabytes: too much for a /tmp in memory. */
  @TempDir(factory = InTarget.class)
  static Path temp;

  @BeforeAll
  static void build_and_unpack() throws Exception {
    run(ROOT, "tools/image", temp.resolve("images").toString());
    for (var image : List.of("krypton", "krypton-agent")) {
      var archive = Files.createDirectories(temp.resolve(image).resolve("archive"));
      run(archive, "tar", "-xf", temp.resolve("images").resolve(image + ".tar").toString());
      Files.createDirectories(root(image));
      run(root(image), "tar", "-xf", layer(image).toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"krypton", "krypton-agent"})
  void every_file_is_in_the_bill_with_its_sum(String image) throws Exception {
    var billed = files(bill(image));
    var shipped = new TreeMap<String, String>();
    try (var files = Files.walk(root(image))) {
      for (var file :
          files.filter(it -> Files.isSymbolicLink(it) || !Files.isDirectory(it)).toList()) {
        var path = "/" + root(image).relativize(file);
        var hasNoSum = Files.isSymbolicLink(file) || path.endsWith(".cdx.json");
        shipped.put(path, hasNoSum ? "" : Sha256.hex(file));
      }
    }

    assertThat(shipped).hasSizeGreaterThan(100);
    assertThat(billed).containsExactlyEntriesOf(shipped);
  }

  @ParameterizedTest
  @ValueSource(strings = {"krypton", "krypton-agent"})
  void the_bill_in_the_image_is_the_one_beside_it(String image) {
    assertThat(root(image).resolve("usr/share/sbom").resolve(image + ".cdx.json"))
        .hasSameBinaryContentAs(temp.resolve("images").resolve(image + ".cdx.json"));
  }

  @Test
  void runtime_c_library_helm_and_authorities_are_named_with_their_versions() throws Exception {
    var bill = bill("krypton");

    assertThat(holderOf(bill, "/opt/krypton/lib/runtime/lib/modules").path("version").asText())
        .isEqualTo(System.getProperty("java.runtime.version"));
    assertThat(holderOf(bill, "/etc/ssl/certs/ca-certificates.crt").path("name").asText())
        .isEqualTo("ca-certificates");
    var helm = holderOf(bill, "/usr/local/bin/helm");
    assertThat(helm.path("purl").asText()).startsWith("pkg:golang/helm.sh/helm/v4@v4.");
    assertThat(helm.findValuesAsText("purl"))
        .hasSizeGreaterThan(100)
        .anyMatch(purl -> purl.startsWith("pkg:golang/stdlib@1."))
        .anyMatch(purl -> purl.startsWith("pkg:golang/k8s.io/client-go@v0."));
    // Where there is no Go to build it, the image has no worker.
    if (Files.exists(root("krypton").resolve("usr/local/bin/krypton-helm"))) {
      assertThat(holderOf(bill, "/usr/local/bin/krypton-helm").path("purl").asText())
          .startsWith("pkg:golang/github.com/openkcm/krypton/helm-worker@");
    }
    var libc = files(bill).keySet().stream().filter(it -> it.endsWith("/libc.so.6")).toList();
    assertThat(libc).hasSize(1);
    if (Files.exists(Path.of("/var/lib/dpkg/status"))) {
      assertThat(holderOf(bill, libc.getFirst()).path("purl").asText())
          .matches("pkg:deb/[a-z]+/libc6@\\d.*");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"krypton", "krypton-agent"})
  void every_library_has_a_licence_and_its_text_is_there(String image) throws Exception {
    for (var component : bill(image).path("components")) {
      if (component.has("purl")) {
        assertThat(MavenSbom.licences(component)).as(component.path("purl").asText()).isNotEmpty();
      }
    }
    assertThat(root(image).resolve("licenses/NOTICE"))
        .hasSameBinaryContentAs(ROOT.resolve(SbomMain.NOTICE));
    assertThat(root(image).resolve("licenses/texts/Apache-2.0.txt")).isNotEmptyFile();
    assertThat(root(image).resolve("opt/krypton/lib/runtime/legal/java.base/LICENSE"))
        .isNotEmptyFile();
  }

  @ParameterizedTest
  @ValueSource(strings = {"krypton", "krypton-agent"})
  void the_archives_do_not_tell_when_and_by_whom_they_were_made(String image) throws Exception {
    for (var archive : List.of(temp.resolve("images").resolve(image + ".tar"), layer(image))) {
      var entries =
          run(
              temp,
              "tar",
              "--list",
              "--verbose",
              "--numeric-owner",
              "--utc",
              "-f",
              archive.toString());

      assertThat(entries.lines())
          .allMatch(line -> line.matches("\\S+ 0/0 +\\d+ 1970-01-01 00:00 .*"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"krypton", "krypton-agent"})
  void the_program_starts(String image) throws Exception {
    assertThat(
            run(temp, root(image).resolve("opt/krypton/bin/krypton").toString(), "agent", "--help"))
        .contains("Usage: krypton agent");
  }

  /** Sums by path, over all components and their parts; what has no sum has an empty one. */
  private static Map<String, String> files(JsonNode bill) {
    var files = new TreeMap<String, String>();
    for (var component : all(bill)) {
      for (var part : component.path("components")) {
        if (part.path("type").asText().equals("file")) {
          var previous =
              files.put(part.path("name").asText(), part.at("/hashes/0/content").asText());
          assertThat(previous).as("named twice: " + part).isNull();
        }
      }
    }
    return files;
  }

  private static JsonNode holderOf(JsonNode bill, String path) {
    return all(bill).stream()
        .filter(component -> component.path("components").findValuesAsText("name").contains(path))
        .findFirst()
        .orElseThrow(() -> new AssertionError("nothing holds " + path));
  }

  private static List<JsonNode> all(JsonNode bill) {
    var all = new ArrayList<JsonNode>();
    all.add(bill.at("/metadata/component"));
    bill.path("components").forEach(all::add);
    return all;
  }

  private static JsonNode bill(String image) throws IOException {
    return JSON.readTree(temp.resolve("images").resolve(image + ".cdx.json").toFile());
  }

  private static Path root(String image) {
    return temp.resolve(image).resolve("root");
  }

  private static Path layer(String image) throws IOException {
    var archive = temp.resolve(image).resolve("archive");
    var manifest = JSON.readTree(archive.resolve("manifest.json").toFile());
    return archive.resolve(manifest.at("/0/Layers/0").asText());
  }

  private static String run(Path directory, String... command) throws Exception {
    var out = Files.createTempFile(temp, "run", ".out");
    var process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    if (!process.waitFor(15, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(List.of(command) + " did not end: " + Files.readString(out));
    }
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
    return Files.readString(out);
  }

  static final class InTarget implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
        throws IOException {
      return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "images");
    }
  }
}
