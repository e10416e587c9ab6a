// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import io.krypton.agent.AgentCommand;
import io.krypton.agent.gate.GateCommand;
import io.krypton.agent.reporter.ReporterCommand;
import io.krypton.cli.change.ReconcileCommand;
import io.krypton.cli.change.ResumeCommand;
import io.krypton.cli.change.SuspendCommand;
import io.krypton.cli.explain.ExplainObjectCommand;
import io.krypton.cli.fleet.ClustersCommand;
import io.krypton.cli.fleet.FleetStatusCommand;
import io.krypton.cli.fleet.KmsCommand;
import io.krypton.cli.fleet.TenantsCommand;
import io.krypton.cli.operator.OperatorCommand;
import io.krypton.cli.plan.PlanCommand;
import io.krypton.cli.plugin.PluginCommand;
import io.krypton.cli.sandbox.SandboxCommand;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/**
 * All commands below {@code krypton}, in the order of the help. Inspecting a command takes longer
 * than most of them need, so only the one that is called is created; the help lists the others by
 * what stands here.
 */
enum Subcommands {
  OPERATOR("Rolls out one chart for every Tenant and every KryptonDeployment."),
  PLUGIN("A KMS v2 plugin for development: real encryption, faults on demand."),
  SANDBOX("Real control planes on this machine, without containers."),
  COMPLETION("Prints a script that completes commands and flags."),
  HELP("Display help information about the specified command."),
  AGENT("The reporter and the serving gate in one process."),
  GATE("Checks whether an API server can start with its encryption configuration."),
  REPORTER("Probes the KMS plugins of this node and reports their health to the cluster."),
  STATUS("Shows the fleet at a glance: clusters, Tenants by phase, KMS by cluster.", true),
  CLUSTERS(
      "Shows the clusters of the fleet: the labelled kubeconfig Secrets of the home cluster.",
      true),
  TENANTS("Shows the Tenants of a cluster, or with --fleet those of all clusters.", true),
  KMS("Shows whether the KMS plugins of a cluster work and all its nodes agree on the key.", true),
  EXPLAIN("Tells of a Tenant or KryptonDeployment what happened, why, and what next.", true),
  PLAN("Shows what an operator with these chart flags would change.", true),
  SUSPEND("Stops rollouts of an object: nothing is installed, upgraded or repaired.", true),
  RESUME("Lets rollouts of a suspended object go on.", true),
  RECONCILE("Asks the operator to reconcile an object now.", true);

  private final String description;
  private final boolean isInteractive;

  Subcommands(String description) {
    this(description, false);
  }

  Subcommands(String description, boolean isInteractive) {
    this.description = description;
    this.isInteractive = isInteractive;
  }

  static Optional<Subcommands> named(String word) {
    for (var command : values()) {
      if (command.commandName().equals(word)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  String commandName() {
    // Not toLowerCase: the names are ASCII, and locales would be loaded for nothing.
    var name = new StringBuilder(name());
    for (int i = 0; i < name.length(); i++) {
      name.setCharAt(i, (char) (name.charAt(i) | 0x20));
    }
    return name.toString();
  }

  /** Whether people wait for it at a prompt: what libraries would log helps nobody there. */
  boolean isInteractive() {
    return isInteractive;
  }

  /** Adds the whole command. */
  void addTo(CommandLine root) {
    root.addSubcommand(commandName(), create());
  }

  /** Adds a line of the help and a name to complete, nothing that could be run. */
  void addNameTo(CommandLine root) {
    var spec = CommandSpec.create().name(commandName());
    spec.usageMessage().description(description);
    root.addSubcommand(commandName(), spec);
  }

  private Object create() {
    return switch (this) {
      case OPERATOR -> new OperatorCommand();
      case PLUGIN -> new PluginCommand();
      case SANDBOX -> new SandboxCommand();
      case COMPLETION -> new CompletionCommand();
      case HELP -> new HelpCommand();
      case AGENT -> AgentCommand.create();
      case GATE -> GateCommand.create();
      case REPORTER -> ReporterCommand.create();
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
