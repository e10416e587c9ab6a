package io.krypton.image;

import java.io.IOException;
import java.util.Optional;

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
