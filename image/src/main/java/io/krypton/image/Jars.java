// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.ImageSbom.ComponentSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** The libraries on the class path: each is an artifact that Maven has resolved, byte by byte. */
final class Jars implements ComponentSource {
  private static final String LIBRARIES = "/opt/krypton/lib/app/";
  private static final Pattern LEGAL =
      Pattern.compile(
          "(META-INF/(licenses?/)?)?([^/]*(LICEN[CS]E|NOTICE|COPYING)[^/]*|about\\.html)",
          Pattern.CASE_INSENSITIVE);

  private final MavenSbom artifacts;
  private final StandardLicenceTexts texts;

  Jars(MavenSbom artifacts, StandardLicenceTexts texts) {
    this.artifacts = artifacts;
    this.texts = texts;
  }

  @Override
  public List<ObjectNode> components(ImageRoot root) throws IOException {
    var components = new ArrayList<ObjectNode>();
    for (var jar : root.claim(path -> path.startsWith(LIBRARIES) && path.endsWith(".jar"))) {
      components.add(component(root, jar));
    }
    return components;
  }

  private ObjectNode component(ImageRoot root, ImageRoot.Entry jar) throws IOException {
    var artifact =
        jar.sha256()
            .flatMap(artifacts::artifact)
            .orElseThrow(
                () ->
                    new UncoveredFileException(
                        jar.path(),
                        "no artifact of this build has its bytes; run make build and try again"));
    var files = new ArrayList<ImageRoot.Entry>();
    files.add(jar);
    if (artifact.path("group").asText().equals("io.krypton")) {
      return CycloneDx.holding(CycloneDx.licensed(artifact, "Apache-2.0"), files);
    }
    var name = jar.path().substring(LIBRARIES.length(), jar.path().length() - ".jar".length());
    var legal = legal(root, jar);
    for (var text : legal.entrySet()) {
      files.add(root.write("/licenses/jars/" + name + "/" + text.getKey(), text.getValue()));
    }
    if (legal.isEmpty()) {
      texts.use(jar.path(), artifact.path("name").asText(), MavenSbom.licences(artifact));
    }
    return CycloneDx.holding(artifact, files);
  }

  /** Licences and notices that the library brings along, by their file names. */
  private static Map<String, byte[]> legal(ImageRoot root, ImageRoot.Entry jar) throws IOException {
    var found = new TreeMap<String, byte[]>();
    try (var zip = new ZipFile(root.file(jar.path()).toFile())) {
      for (var entry : zip.stream().toList()) {
        if (!entry.isDirectory()
            && !entry.getName().endsWith(".class")
            && LEGAL.matcher(entry.getName()).matches()) {
          try (var content = zip.getInputStream(entry)) {
            found.put(
                entry.getName().substring(entry.getName().lastIndexOf('/') + 1),
                content.readAllBytes());
          }
        }
      }
    }
    return found;
  }

  /** Texts of licences for libraries that name one and bring no text. */
  static final class StandardLicenceTexts {
    private final Map<String, byte[]> used = new TreeMap<>();

    /**
     * Remembers the texts for a library that may be used under any of these licences: a text of its
     * own, with the names of its authors, or else those of the licences.
     */
    void use(String path, String library, List<String> licences) throws IOException {
      if (!remember(library)) {
        var known = 0;
        for (var licence : licences) {
          known += remember(licence) ? 1 : 0;
        }
        if (known == 0) {
          throw new UncoveredFileException(
              path,
              "it brings no licence text, and there is none for " + licences + " in licences/");
        }
      }
    }

    private boolean remember(String name) throws IOException {
      try (var text = StandardLicenceTexts.class.getResourceAsStream("licences/" + name + ".txt")) {
        if (text != null) {
          used.put(name, text.readAllBytes());
        }
        return text != null;
      }
    }

    /** Puts the texts that are used into the image. */
    List<ImageRoot.Entry> write(ImageRoot root) throws IOException {
      var written = new ArrayList<ImageRoot.Entry>();
      for (var text : used.entrySet()) {
        written.add(root.write("/licenses/texts/" + text.getKey() + ".txt", text.getValue()));
      }
      return written;
    }
  }
}
