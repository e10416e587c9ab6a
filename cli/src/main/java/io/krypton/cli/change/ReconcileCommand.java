// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.change;

import io.krypton.cli.change.ChangeApplier.Options;
import io.krypton.cli.view.AccessOptions;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code krypton reconcile}. */
@Command(
    name = "reconcile",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Asks the operator to reconcile an object now.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:asked, and with --wait acted on",
      "1:not found, not allowed, suspended, or not acted on in time",
      "2:bad usage or kubeconfig"
    })
public final class ReconcileCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final Options options = new Options();

  @Option(names = "--force", description = "Run Helm once even if nothing changed.")
  private boolean force;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    options.names();
    var change = new Change.Reconcile(Instant.now().toString(), force);
    return access.use(
        session -> new ChangeApplier(session, spec.commandLine()).apply(change, options));
  }
}
