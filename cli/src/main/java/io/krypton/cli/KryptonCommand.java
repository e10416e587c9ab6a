// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton}: the root of all commands. */
@Command(
    name = "krypton",
    mixinStandardHelpOptions = true,
    versionProvider = KryptonCommand.Version.class,
    description = "Tenants on many clusters, and the health of their encryption at rest.")
public final class KryptonCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /** What the jar says about itself; a run from loose classes has no version. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var version = KryptonCommand.class.getPackage().getImplementationVersion();
      return new String[] {
        "krypton %s (Java %s)"
            .formatted(version == null ? "development" : version, Runtime.version())
      };
    }
  }
}
