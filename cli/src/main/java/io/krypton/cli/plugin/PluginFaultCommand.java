// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plugin;

import io.krypton.sandbox.plugin.PluginFault;
import io.krypton.sandbox.plugin.PluginFault.FaultFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code krypton plugin fault}: tells a running plugin what to do wrong from now on. */
@Command(
    name = "fault",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Tells a running plugin what to do wrong; it follows within 200 ms.",
    footerHeading = "%nModes:%n",
    footer = {
      "  none                   all is well",
      "  down                   the socket is closed and removed",
      "  refuse                 the socket is closed, its file stays",
      "  hang                   connections are accepted, calls never answered",
      "  slow=<duration>        every answer comes late",
      "  unhealthy[=<text>]     Status says so",
      "  error=<CODE>[:<text>]  Status fails; also encrypt-error=, decrypt-error=",
      "  wrong-key              another key with another id; older data is not found",
      "  garbage                Decrypt returns other bytes",
      "  keyid=empty|long       Status names an impossible key id",
      "  version=<version>      Status names another version"
    })
public final class PluginFaultCommand implements Callable<Integer> {
  @Option(
      names = "--fault-file",
      required = true,
      paramLabel = "<file>",
      description = "The file that the plugin was started with.")
  private Path faultFile = Path.of("");

  @Parameters(paramLabel = "<mode>", description = "One of the modes below.")
  private String mode = "";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (PluginFault.parse(mode).isEmpty()) {
      throw new ParameterException(spec.commandLine(), "there is no mode \"%s\"".formatted(mode));
    }
    new FaultFile(faultFile).write(mode);
    return CommandLine.ExitCode.OK;
  }
}
