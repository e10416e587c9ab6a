// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Helm that hangs on chosen clusters, as it does when an admission webhook there is slow. */
record BlockedHelm(Path directory) {
  static BlockedHelm in(Path directory) throws IOException {
    var script =
        """
        #!/bin/bash
        if [ "$1" != version ]; then
          cd %1$s
          for port in $(ls blocked); do
            if grep -q ":$port" "$KUBECONFIG"; then
              echo "$port $1" >> begun
              trap 'echo "$port $1" >> terminated; exit 143' TERM
              while [ -e "blocked/$port" ]; do sleep 0.1; done
              trap - TERM
            fi
          done
        fi
        exec %2$s "$@"
        """
            .formatted(directory, Assets.fromEnvironment().find(Binary.HELM));
    Files.createDirectories(directory.resolve("blocked"));
    var file = Files.writeString(directory.resolve("helm"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new BlockedHelm(directory);
  }

  String flag() {
    return "--helm-binary=" + directory.resolve("helm");
  }

  void block(ControlPlane plane) throws IOException {
    Files.createFile(directory.resolve("blocked").resolve(port(plane)));
  }

  void release(ControlPlane plane) throws IOException {
    Files.delete(directory.resolve("blocked").resolve(port(plane)));
  }

  /** The operations that have hung on a cluster so far. */
  List<String> begun(ControlPlane plane) throws IOException {
    return lines("begun", plane);
  }

  /** Those of them that were asked to end. */
  List<String> terminated(ControlPlane plane) throws IOException {
    return lines("terminated", plane);
  }

  private List<String> lines(String name, ControlPlane plane) throws IOException {
    var file = directory.resolve(name);
    if (!Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .filter(line -> line.startsWith(port(plane) + " "))
        .map(line -> line.substring(line.indexOf(' ') + 1))
        .toList();
  }

  private static String port(ControlPlane plane) {
    return String.valueOf(plane.url().getPort());
  }
}
