package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The C library and what else the Java runtime needs of the host on which the image is built. */
final class SystemLibraries implements Origin {
  private static final List<String> PLACES = List.of("/lib", "/usr/lib");

  private final PackageDatabase packages;
  private final String distribution;

  SystemLibraries(PackageDatabase packages, String distribution) {
    this.packages = packages;
    this.distribution = distribution;
  }

  /** Its name and version, such as {@code debian-12}. */
  static String distributionOfThisHost() throws IOException {
    var file = Path.of("/etc/os-release");
    return Files.exists(file) ? distribution(Files.readAllLines(file)) : "linux";
  }

  static String distribution(List<String> osRelease) {
    return String.join(
        "-",
        Stream.of("ID=", "VERSION_ID=")
            .flatMap(
                key ->
                    osRelease.stream()
                        .filter(line -> line.startsWith(key))
                        .map(line -> line.substring(key.length()).replace("\"", "")))
            .toList());
  }

  @Override
  public List<ObjectNode> components(ImageRoot root) throws IOException {
    var components = new TreeMap<String, ObjectNode>();
    for (var library : root.claim(path -> PLACES.stream().anyMatch(path::startsWith))) {
      var owner = packages.owner(library.path());
      if (owner.isPresent()) {
        var name = owner.get().name();
        if (!components.containsKey(name)) {
          components.put(name, component(root, owner.get()));
        }
        CycloneDx.holding(components.get(name), List.of(library));
      } else {
        components.put(library.path(), nameless(library));
      }
    }
    return new ArrayList<>(components.values());
  }

  private ObjectNode component(ImageRoot root, PackageDatabase.Owner owner) throws IOException {
    var component = CycloneDx.component("library", owner.name(), owner.version());
    var vendor = distribution.replaceFirst("-.*", "");
    CycloneDx.located(
        component,
        "pkg:deb/%s/%s@%s?arch=%s&distro=%s"
            .formatted(
                vendor,
                CycloneDx.escaped(owner.name()),
                CycloneDx.escaped(owner.version()),
                owner.architecture(),
                distribution));
    CycloneDx.property(component, "deb:source", owner.source());
    if (owner.copyright().isPresent()) {
      var path = "/licenses/system/" + owner.name() + "/copyright";
      component.putArray("licenses").addObject().putObject("license").put("name", "see " + path);
      CycloneDx.holding(component, List.of(root.write(path, owner.copyright().get())));
    }
    return component;
  }

  /** On a host without such packages only the bytes tell what it is. */
  private ObjectNode nameless(ImageRoot.Entry library) {
    var component =
        CycloneDx.component(
            "library",
            library.path().substring(library.path().lastIndexOf('/') + 1),
            "of " + distribution);
    return CycloneDx.holding(component, List.of(library));
  }
}
