// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import io.krypton.image.HelmProgram.GoLicences;
import java.util.stream.Collectors;

/** The file NOTICE: what others have written of what the images hold, and its licences. */
final class NoticeFile {
  private static final String HEAD =
      """
      Krypton

      The images of Krypton hold software of others, under the licences named here. Texts and copyright notices are in /licenses
      of each image, those of the Java runtime in /opt/krypton/lib/runtime/legal. Exact versions of everything, with
      the sum of each file, are in the bill of materials: /usr/share/sbom in the image, and a file beside it.

      Written by NoticeIT with -Dnotice.write=true; do not edit.

      == Java runtime, launchers and certificate authorities

      OpenJDK, as the JDK that builds the image brings it: GPL-2.0-only WITH Classpath-exception-2.0.
      The bill of materials names vendor, version and the repository of its source code.

      == C library

      GNU C Library, as the host that builds the image brings it: LGPL-2.1-or-later and others.
      The bill of materials names package, version and source package of the distribution.

      """;

  private NoticeFile() {}

  static String text(MavenSbom artifacts, GoLicences helm) {
    var jars =
        artifacts.foreign().stream()
            .map(
                jar ->
                    "%s %s: %s\n"
                        .formatted(
                            MavenSbom.coordinates(jar),
                            jar.path("version").asText(),
                            String.join(" or ", MavenSbom.licences(jar))))
            .collect(Collectors.joining());
    var modules =
        helm.modules().entrySet().stream()
            .filter(module -> !module.getKey().equals(GoLicences.STANDARD_LIBRARY))
            .map(
                module ->
                    "%s %s: %s\n"
                        .formatted(
                            module.getKey(),
                            module.getValue().version(),
                            module.getValue().expression()))
            .collect(Collectors.joining());
    return HEAD
        + "== Java libraries\n\n"
        + jars
        + "\n== Helm and the Go modules in it (image krypton only)\n\n"
        + "Go standard library: %s\n".formatted(helm.expression("std").orElse("unknown"))
        + modules;
  }
}
