package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Helm, with the Go modules that are linked into it. */
final class HelmProgram implements Origin {
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
                    new UncoveredFile(
                        PROGRAM,
                        "the licence of its module "
                            + module
                            + " is not known; run tools/licences")));
  }
}
