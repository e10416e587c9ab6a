// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageSbom.ComponentSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The C library and what else the Java runtime needs of the host on which the image is built. */
final class SystemLibraries implements ComponentSource {
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

  /** The packages of Debian and of what is made from it. */
  static final class Dpkg implements PackageDatabase {
    @Override
    public Optional<Owner> owner(String path) throws IOException {
      for (var candidate : spellings(path)) {
        var answer = ask("dpkg-query", "--search", candidate);
        if (answer.isPresent()) {
          // "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6"
          var name = answer.get().substring(0, answer.get().indexOf(": "));
          return ask(
                  "dpkg-query",
                  "--show",
                  "--showformat=${Package}\t${Version}\t${Architecture}\t${source:Package}@${source:Version}",
                  name)
              .map(Dpkg::parse);
        }
      }
      return Optional.empty();
    }

    /** Where /lib is a link to /usr/lib the database may know the file under either name. */
    static List<String> spellings(String path) {
      return path.startsWith("/usr/")
          ? List.of(path, path.substring("/usr".length()))
          : List.of(path, "/usr" + path);
    }

    private static Owner parse(String line) {
      var fields = line.strip().split("\t");
      return new Owner(fields[0], fields[1], fields[2], fields[3], copyright(fields[0]));
    }

    private static Optional<byte[]> copyright(String name) {
      try {
        return Optional.of(
            Files.readAllBytes(Path.of("/usr/share/doc").resolve(name).resolve("copyright")));
      } catch (IOException leftOut) {
        return Optional.empty();
      }
    }

    /** The answer of a command, if it is there and knows one. */
    private static Optional<String> ask(String... command) throws IOException {
      Process process;
      try {
        process =
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      } catch (IOException notInstalled) {
        return Optional.empty();
      }
      try (var output = process.getInputStream()) {
        var text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? Optional.of(text) : Optional.empty();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException("stopped while " + command[0] + " ran", stopped);
      }
    }
  }

  /** Which package of the build host's distribution a file has come with. */
  interface PackageDatabase {
    /** A package, and the text of its licences if the host has kept it. */
    record Owner(
        String name,
        String version,
        String architecture,
        String source,
        Optional<byte[]> copyright) {}

    Optional<Owner> owner(String path) throws IOException;
  }
}
