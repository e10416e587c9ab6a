// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.ImageSbom.ComponentSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Helm, with the Go modules that are linked into it. */
final class HelmProgram implements ComponentSource {
  private static final String PROGRAM = "/usr/local/bin/helm";

  private final GoLicences licences;

  HelmProgram(GoLicences licences) {
    this.licences = licences;
  }

  @Override
  public List<ObjectNode> components(ImageRoot root) throws IOException {
    var program = root.claim(PROGRAM::equals);
    if (program.isEmpty()) {
      return List.of();
    }
    var info = GoBuildInfo.read(root.file(PROGRAM));
    var helm = module("application", info.main().path(), info.main().version());
    CycloneDx.holding(helm, program);
    CycloneDx.holding(
        helm,
        List.of(
            root.write(
                "/licenses/helm/licences.txt", licences.texts().getBytes(StandardCharsets.UTF_8))));
    var parts = helm.withArray("components");
    parts.add(
        licensed(
            CycloneDx.located(
                CycloneDx.component("library", "stdlib", info.goVersion()),
                "pkg:golang/stdlib@" + CycloneDx.escaped(info.goVersion())),
            GoLicences.STANDARD_LIBRARY));
    for (var dependency : info.dependencies()) {
      parts.add(module("library", dependency.path(), dependency.version()));
    }
    return List.of(helm);
  }

  private ObjectNode module(String type, String path, String version) {
    var component = CycloneDx.component(type, path, version);
    CycloneDx.located(component, "pkg:golang/" + path + "@" + CycloneDx.escaped(version));
    return licensed(component, path);
  }

  private ObjectNode licensed(ObjectNode component, String module) {
    return CycloneDx.licensed(
        component,
        licences
            .expression(module)
            .orElseThrow(
                () ->
                    new UncoveredFileException(
                        PROGRAM,
                        "the licence of its module "
                            + module
                            + " is not known; run tools/licences")));
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
