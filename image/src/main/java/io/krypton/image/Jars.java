package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** The libraries on the class path: each is an artifact that Maven has resolved, byte by byte. */
final class Jars implements Origin {
  private static final String LIBRARIES = "/opt/krypton/lib/app/";
  private static final Pattern LEGAL =
      Pattern.compile(
          "(META-INF/(licenses?/)?)?([^/]*(LICEN[CS]E|NOTICE|COPYING)[^/]*|about\\.html)",
          Pattern.CASE_INSENSITIVE);

  private final MavenBill artifacts;
  private final StandardTexts texts;

  Jars(MavenBill artifacts, StandardTexts texts) {
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
                    new UncoveredFile(
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
      texts.use(jar.path(), artifact.path("name").asText(), MavenBill.licences(artifact));
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
}
