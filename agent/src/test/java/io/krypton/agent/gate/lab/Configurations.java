// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** EncryptionConfigurations, with a key in them that must never be seen anywhere. */
public final class Configurations {
  public static final String KEY = "c2VjcmV0IGlzIHNlY3VyZSwgb3IgaXMgaXQgbm90Pz8=";

  private Configurations() {}

  /** An entry for secrets; the first provider writes, the others read. */
  public static String entry(String... providers) {
    return """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
        %s  - secretbox: {keys: [{name: k, secret: %s}]}
          - identity: {}
        """
        .formatted(String.join("", providers), KEY);
  }

  public static String v2(String name, Path socket) {
    return v2(name, "unix://" + socket, "1s");
  }

  public static String v2(String name, String endpoint, String timeout) {
    return provider("v2", name, endpoint, timeout);
  }

  public static String v1(String name, Path socket) {
    return provider("v1", name, "unix://" + socket, "1s");
  }

  private static String provider(String api, String name, String endpoint, String timeout) {
    return "  - kms: {apiVersion: %s, name: %s, endpoint: \"%s\", timeout: %s}\n"
        .formatted(api, name, endpoint, timeout);
  }

  /** Replaces the file as careful writers do. */
  public static Path write(Path file, String text) {
    try {
      var fresh = Files.writeString(file.resolveSibling(file.getFileName() + ".new"), text);
      return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
