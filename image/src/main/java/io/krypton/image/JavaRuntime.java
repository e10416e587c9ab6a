// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.image.ImageSbom.ComponentSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Java runtime that jlink has made, the native launchers of jpackage, and the certificate
 * authorities: all of them come from one JDK.
 */
final class JavaRuntime implements ComponentSource {
  private static final String RUNTIME = "/opt/krypton/lib/runtime/";
  private static final String LAUNCHERS = "/opt/krypton/bin/";
  private static final String LAUNCHER_LIBRARY = "/opt/krypton/lib/libapplauncher.so";
  private static final String AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt";

  private final Path jdk;

  JavaRuntime(Path jdk) {
    this.jdk = jdk;
  }

  @Override
  public List<ObjectNode> components(ImageRoot root) throws IOException {
    var release = properties(jdk.resolve("release"));
    var vendor = release.getOrDefault("IMPLEMENTOR", "unknown vendor");
    var version = release.getOrDefault("JAVA_RUNTIME_VERSION", Runtime.version().toString());
    var java = CycloneDx.component("platform", "OpenJDK", version);
    java.putObject("supplier").put("name", vendor);
    java.put(
        "description",
        "Java runtime of "
            + vendor
            + ", reduced by jlink; its licences are in "
            + RUNTIME
            + "legal");
    java.put(
        "cpe",
        "cpe:2.3:a:oracle:openjdk:"
            + release.getOrDefault("JAVA_VERSION", version)
            + ":*:*:*:*:*:*:*");
    CycloneDx.located(
        java,
        "pkg:generic/openjdk@"
            + CycloneDx.escaped(version)
            + "?vendor="
            + CycloneDx.escaped(vendor));
    CycloneDx.licensed(java, "GPL-2.0-only WITH Classpath-exception-2.0");
    for (var source : List.of("SOURCE_REPO", "SOURCE")) {
      if (release.containsKey(source)) {
        CycloneDx.property(java, "java:" + source, release.get(source));
      }
    }
    var linked = properties(root.file(RUNTIME + "release"));
    CycloneDx.property(java, "java:MODULES", linked.getOrDefault("MODULES", ""));
    CycloneDx.holding(java, root.claim(JavaRuntime::isOfTheJdk));
    if (Files.exists(jdk.resolve("NOTICE"))) {
      CycloneDx.holding(
          java,
          List.of(root.write("/licenses/java/NOTICE", Files.readAllBytes(jdk.resolve("NOTICE")))));
    }
    var components = new ArrayList<>(List.of(java));
    var authorities = root.claim(AUTHORITIES::equals);
    if (!authorities.isEmpty()) {
      var bundle = CycloneDx.component("data", "ca-certificates", version);
      bundle.put(
          "description",
          "public certificate authorities that the JDK of " + vendor + " trusts, as PEM");
      components.add(CycloneDx.holding(bundle, authorities));
    }
    return components;
  }

  private static boolean isOfTheJdk(String path) {
    return path.startsWith(RUNTIME) || path.startsWith(LAUNCHERS) || path.equals(LAUNCHER_LIBRARY);
  }

  /** The lines {@code NAME="value"} of a release file. */
  private static Map<String, String> properties(Path file) throws IOException {
    var properties = new TreeMap<String, String>();
    for (var line : Files.readAllLines(file)) {
      var at = line.indexOf('=');
      if (at > 0) {
        properties.put(line.substring(0, at), line.substring(at + 1).replace("\"", ""));
      }
    }
    return properties;
  }
}
