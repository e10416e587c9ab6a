// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.ImageSbom.ComponentSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Helm and the worker that runs it, with the Go modules that are linked into them. */
final class HelmProgram implements ComponentSource {
  private static final String DIRECTORY = "/usr/local/bin/";
  private static final List<String> PROGRAMS = List.of("helm", "krypton-helm");

  /** The worker is of this tree: it has the product's version and licence. */
  private static final String OURS = "github.com/openkcm/krypton/helm-worker";

  private final GoLicences licences;
  private final String productVersion;

  HelmProgram(GoLicences licences, String productVersion) {
    this.licences = licences;
    this.productVersion = productVersion;
  }

  @Override
  public List<ObjectNode> components(ImageRoot root) throws IOException {
    var components = new ArrayList<ObjectNode>();
    for (var name : PROGRAMS) {
      var program = root.claim((DIRECTORY + name)::equals);
      if (!program.isEmpty()) {
        components.add(component(GoBuildInfo.read(root.file(DIRECTORY + name)), program));
      }
    }
    if (!components.isEmpty()) {
      var texts = licences.texts().getBytes(StandardCharsets.UTF_8);
      CycloneDx.holding(
          components.getFirst(), List.of(root.write("/licenses/helm/licences.txt", texts)));
    }
    return components;
  }

  private ObjectNode component(GoBuildInfo info, List<ImageRoot.Entry> program) {
    var component =
        info.main().path().equals(OURS)
            ? CycloneDx.licensed(located("application", OURS, productVersion), "Apache-2.0")
            : module("application", info.main().path(), info.main().version());
    CycloneDx.holding(component, program);
    var parts = component.withArray("components");
    parts.add(
        licensed(
            CycloneDx.located(
                CycloneDx.component("library", "stdlib", info.goVersion()),
                "pkg:golang/stdlib@" + CycloneDx.escaped(info.goVersion())),
            GoLicences.STANDARD_LIBRARY));
    for (var dependency : info.dependencies()) {
      parts.add(module("library", dependency.path(), dependency.version()));
    }
    return component;
  }

  private ObjectNode module(String type, String path, String version) {
    return licensed(located(type, path, version), path);
  }

  private static ObjectNode located(String type, String path, String version) {
    return CycloneDx.located(
        CycloneDx.component(type, path, version),
        "pkg:golang/" + path + "@" + CycloneDx.escaped(version));
  }

  private ObjectNode licensed(ObjectNode component, String module) {
    return CycloneDx.licensed(
        component,
        licences
            .expression(module)
            .orElseThrow(
                () ->
                    new UncoveredFileException(
                        DIRECTORY,
                        "the licence of module " + module + " is not known; run tools/licences")));
  }

  /** The licences of Helm's modules and their texts, as {@code tools/licences} has written them. */
  record GoLicences(String texts, SortedMap<String, Module> modules) {
    /** The standard library stands among the modules under this name. */
    static final String STANDARD_LIBRARY = "std";

    private static final String HEADING = "@@ ";

    /** A module as it was when its licences were read. */
    record Module(String version, String expression) {}

    static GoLicences read(Path file) throws IOException {
      var modules = new TreeMap<String, Module>();
      for (var line : Files.readAllLines(file)) {
        if (line.startsWith(HEADING)) {
          var fields = line.substring(HEADING.length()).split(" ", 3);
          modules.put(fields[0], new Module(fields[1], fields[2]));
        }
      }
      return new GoLicences(Files.readString(file), modules);
    }

    Optional<String> expression(String module) {
      return Optional.ofNullable(modules.get(module)).map(Module::expression);
    }
  }
}
