// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.Jars.StandardLicenceTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The bill of materials of an image: every file of its root, with its sum, under the component that
 * it belongs to. The same root gives the same bytes.
 */
final class ImageSbom {
  private final String image;
  private final String version;
  private final MavenSbom artifacts;
  private final List<ComponentSource> sources;
  private final StandardLicenceTexts texts;

  ImageSbom(
      String image,
      String version,
      MavenSbom artifacts,
      List<ComponentSource> origins,
      StandardLicenceTexts texts) {
    this.image = image;
    this.version = version;
    this.artifacts = artifacts;
    this.sources = List.copyOf(origins);
    this.texts = texts;
  }

  /** Where the bill lies in its own image. */
  String path() {
    return "/usr/share/sbom/" + image + ".cdx.json";
  }

  /**
   * Puts licences and the bill itself into the root, and returns the bill.
   *
   * @throws UncoveredFileException if a file belongs to nothing that is known
   */
  byte[] writeInto(ImageRoot root, byte[] notice) throws IOException {
    var components = new ArrayList<ObjectNode>();
    for (var componentSource : sources) {
      components.addAll(componentSource.components(root));
    }
    var own = new ArrayList<ImageRoot.Entry>();
    own.add(root.write("/licenses/NOTICE", notice));
    own.addAll(texts.write(root));
    own.addAll(root.claim(ImageSbom::isWrittenByTheBuild));
    own.add(new ImageRoot.Entry(path(), Optional.empty()));
    if (!root.unclaimed().isEmpty()) {
      throw new UncoveredFileException(
          String.join(", ", root.unclaimed()),
          "no component of the bill of materials holds it; name its origin in io.krypton.image, or leave it out");
    }
    var bill = json(components, own).getBytes(StandardCharsets.UTF_8);
    root.write(path(), bill);
    return bill;
  }

  /** Users, class paths and links to the programs: files that tools/image and jpackage write. */
  private static boolean isWrittenByTheBuild(String path) {
    return path.equals("/etc/passwd")
        || path.equals("/krypton-operator")
        || path.equals("/usr/local/bin/krypton")
        || path.matches("/opt/krypton/lib/app/([^/]+\\.cfg|\\.jpackage\\.xml)");
  }

  private String json(List<ObjectNode> components, List<ImageRoot.Entry> own) throws IOException {
    var product = CycloneDx.component("container", image, version).put("bom-ref", image);
    CycloneDx.holding(CycloneDx.licensed(product, "Apache-2.0"), own);
    var references = new TreeSet<String>();
    for (var component : components) {
      references.add(component.path("bom-ref").asText());
    }
    var bill = JsonNodeFactory.instance.objectNode();
    bill.put("bomFormat", "CycloneDX").put("specVersion", CycloneDx.SPEC_VERSION);
    bill.put("serialNumber", "").put("version", 1);
    bill.putObject("metadata").set("component", product);
    bill.putArray("components").addAll(components);
    bill.set("dependencies", artifacts.dependencies(references));
    // Neither a time nor chance: the number is that of the content.
    var content = bill.toString().getBytes(StandardCharsets.UTF_8);
    bill.put("serialNumber", "urn:uuid:" + UUID.nameUUIDFromBytes(content));
    var lines = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
    return new ObjectMapper().writer(lines).writeValueAsString(bill) + "\n";
  }

  /** Where some files of an image come from. */
  interface ComponentSource {
    /**
     * Claims the files that come from here, adds their licence texts to the root, and returns the
     * components they belong to.
     */
    List<ObjectNode> components(ImageRoot root) throws IOException;
  }
}
