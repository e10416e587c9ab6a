// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import java.io.Serial;
import picocli.CommandLine.ExitCode;

/** Ends a command with one line for the user and an exit code. */
public final class CliException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final int exitCode;

  private CliException(int exitCode, String message) {
    super(message);
    this.exitCode = exitCode;
  }

  /** The command line or the kubeconfig must be changed: exit code 2. */
  public static CliException usage(String message) {
    return new CliException(ExitCode.USAGE, message);
  }

  /** What was asked for could not be done or found: exit code 1. */
  public static CliException failure(String message) {
    return new CliException(ExitCode.SOFTWARE, message);
  }

  public int exitCode() {
    return exitCode;
  }
}
