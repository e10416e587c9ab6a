package io.krypton.cli.sandbox.keep;

import picocli.CommandLine.Option;

/** Which sandbox is meant; several may run at once. */
final class SandboxOption {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the sandbox; several may run side by side. Default: default")
  String name = "default";

  SandboxHome home() {
    return SandboxHome.of(name, System.getenv());
  }
}
