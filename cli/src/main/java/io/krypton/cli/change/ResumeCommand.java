// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.change;

import io.krypton.cli.change.ChangeApplier.Options;
import io.krypton.cli.view.AccessOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code krypton resume}. */
@Command(
    name = "resume",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Lets rollouts of a suspended object go on.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:done, and with --wait acted on",
      "1:not found, not allowed, or not acted on in time",
      "2:bad usage or kubeconfig"
    })
public final class ResumeCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final Options options = new Options();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    options.names();
    return access.use(
        session ->
            new ChangeApplier(session, spec.commandLine()).apply(new Change.Resume(), options));
  }
}
