// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.krypton.base.crypto.Sha256;

/** Names that must fit a limit of Kubernetes or Helm. */
public final class NameShortener {
  private static final int HASH_LENGTH = 12;

  private NameShortener() {}

  /** The name itself if it fits; else its beginning and a hash that keeps it unique. */
  public static String shorten(String name, int limit) {
    if (name.length() <= limit) {
      return name;
    }
    var beginning = name.substring(0, limit - HASH_LENGTH - 1);
    if (beginning.endsWith(".")) {
      // Helm refuses ".-" in a release name.
      beginning = beginning.substring(0, beginning.length() - 1) + "-";
    }
    return beginning + "-" + Sha256.hex(name).substring(0, HASH_LENGTH);
  }
}
