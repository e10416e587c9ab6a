// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import io.krypton.base.settings.SettingsFile;
import io.krypton.cli.change.ReconcileCommand;
import io.krypton.cli.change.ResumeCommand;
import io.krypton.cli.change.SuspendCommand;
import io.krypton.cli.explain.ExplainObjectCommand;
import io.krypton.cli.fleet.ClustersCommand;
import io.krypton.cli.fleet.FleetStatusCommand;
import io.krypton.cli.fleet.KmsCommand;
import io.krypton.cli.fleet.TenantsCommand;
import io.krypton.cli.plan.PlanCommand;
import io.krypton.cli.settings.FlagDefaults;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The commands that people wait for at a prompt. One of them is started without the others and
 * without a log: loading and inspecting all commands takes longer than most of them need.
 */
enum InteractiveCommands {
  STATUS("status"),
  CLUSTERS("clusters"),
  TENANTS("tenants"),
  KMS("kms"),
  EXPLAIN("explain"),
  PLAN("plan"),
  SUSPEND("suspend"),
  RESUME("resume"),
  RECONCILE("reconcile");

  private static final String LOG_LEVEL = "KRYPTON_LOG_LEVEL";

  private final String commandName;

  InteractiveCommands(String word) {
    this.commandName = word;
  }

  /** The command line for these arguments, if they begin with one of these commands. */
  static Optional<CommandLine> standalone(Map<String, String> environment, String... arguments) {
    for (var view : values()) {
      if (arguments.length > 0 && view.commandName.equals(arguments[0])) {
        if (!environment.containsKey(LOG_LEVEL)) {
          // Answers and errors go to the terminal; what libraries would log helps nobody there.
          System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
          System.setProperty("slf4j.internal.verbosity", "ERROR");
        }
        var root = new CommandLine(CommandSpec.create().name("krypton"));
        return Optional.of(root.addSubcommand(view.commandName, view.command()));
      }
    }
    return Optional.empty();
  }

  static CommandLine addTo(CommandLine root) {
    for (var view : values()) {
      root.addSubcommand(view.commandName, view.command());
    }
    return root;
  }

  /** For {@code plan}, whose chart flags listen to the same variables as the operator's. */
  static FlagDefaults defaults(Map<String, String> environment, SettingsFile file) {
    return new FlagDefaults("KRYPTON_", environment, Map.of(), file, ignored -> {});
  }

  private Object command() {
    return switch (this) {
      case STATUS -> new FleetStatusCommand();
      case CLUSTERS -> new ClustersCommand();
      case TENANTS -> new TenantsCommand();
      case KMS -> new KmsCommand();
      case EXPLAIN -> new ExplainObjectCommand();
      case PLAN -> new PlanCommand();
      case SUSPEND -> new SuspendCommand();
      case RESUME -> new ResumeCommand();
      case RECONCILE -> new ReconcileCommand();
    };
  }
}
