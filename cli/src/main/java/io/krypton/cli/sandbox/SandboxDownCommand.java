// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.cli.sandbox.SandboxDirectory.NameOption;
import io.krypton.cli.view.Progress;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code krypton sandbox down}. */
@Command(
    name = "down",
    mixinStandardHelpOptions = true,
    description = "Stops the control planes of a sandbox and removes their data.")
public final class SandboxDownCommand implements Callable<Integer> {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  @Mixin private final NameOption sandbox = new NameOption();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    var home = sandbox.home();
    var out = spec.commandLine().getOut();
    var keeper = home.running().flatMap(SandboxDirectory::keeperOf);
    if (keeper.isEmpty()) {
      home.delete();
      out.printf("sandbox '%s' does not run%n", home.name());
      return 0;
    }
    try (var progress =
        Progress.start(
            spec.commandLine().getErr(), "stopping sandbox '%s'".formatted(home.name()))) {
      end(keeper.get());
      home.delete();
      progress.print(out, "sandbox '%s' stopped".formatted(home.name()));
    }
    return 0;
  }

  private static void end(ProcessHandle keeper) throws Exception {
    keeper.destroy();
    try {
      keeper.onExit().get(STOP_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException stuck) {
      // Its children notice its death and end too.
      keeper.destroyForcibly();
      keeper.onExit().get();
    }
  }
}
