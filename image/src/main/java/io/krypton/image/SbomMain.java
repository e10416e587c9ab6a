// SPDX-License-Identifier: Apache-2.0
package io.krypton.image;

import io.krypton.image.HelmProgram.GoLicences;
import io.krypton.image.ImageRoot.UncoveredFileException;
import io.krypton.image.Jars.StandardLicenceTexts;
import io.krypton.image.SystemLibraries.Dpkg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code ROOT IMAGE VERSION BILL}: adds licences and bill of materials to the root of an image and
 * writes the bill to a file beside it. Started by {@code tools/image} in the root of the tree.
 */
public final class SbomMain {
  static final Path ARTIFACTS = Path.of("image/target/bom.json");
  static final Path HELM_LICENCES = Path.of("tools/helm/licences.txt");
  static final Path NOTICE = Path.of("NOTICE");

  private SbomMain() {}

  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 4) {
      System.err.println("usage: ROOT IMAGE VERSION BILL");
      System.exit(2);
    }
    try {
      var texts = new StandardLicenceTexts();
      var artifacts = MavenSbom.read(ARTIFACTS);
      var origins =
          List.of(
              new Jars(artifacts, texts),
              new JavaRuntime(Path.of(System.getProperty("java.home"))),
              new HelmProgram(GoLicences.read(HELM_LICENCES), arguments[2]),
              new SystemLibraries(new Dpkg(), SystemLibraries.distributionOfThisHost()));
      var imageSbom = new ImageSbom(arguments[1], arguments[2], artifacts, origins, texts);
      Files.write(
          Path.of(arguments[3]),
          imageSbom.writeInto(ImageRoot.of(Path.of(arguments[0])), Files.readAllBytes(NOTICE)));
    } catch (UncoveredFileException uncovered) {
      System.err.println("image: " + uncovered.getMessage());
      System.exit(1);
    }
  }
}
