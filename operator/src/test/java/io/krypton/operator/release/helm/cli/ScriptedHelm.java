// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** A shell script in the place of Helm, to see what the adapter does around it. */
public final class ScriptedHelm {
  private ScriptedHelm() {}

  /** {@code body} runs for everything but the question for the version. */
  public static Path in(Path directory, String version, String body) throws IOException {
    var script =
        """
        #!/bin/sh
        if [ "$1" = version ]; then printf '%s'; exit 0; fi
        %s
        """
            .formatted(version, body);
    var file = Files.writeString(directory.resolve("helm"), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }
}
