// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Another program on the same data directory: makes a file, tells where, and lives until killed.
 */
final class RunDirectoryMain {
  private RunDirectoryMain() {}

  public static void main(String[] arguments) throws IOException {
    var run = RunDirectory.open(Path.of(arguments[0]));
    var files = new OperationFiles(run.newDirectory());
    files.write("kubeconfig", "token: hunter2");
    System.out.println(files.directory());
    System.out.flush();
    System.in.read();
    run.close();
  }
}
