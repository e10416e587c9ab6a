package io.krypton.cli.sandbox.demo;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code krypton sandbox demo}. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Shows Krypton on real control planes, step by step, and cleans up.")
public final class DemoCommand implements Callable<Integer> {
  @Option(
      names = "--keep",
      description = "Leave everything running until Ctrl-C, and print the kubeconfigs.")
  private boolean keep;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    return new Demo(spec.commandLine().getOut(), spec.commandLine().getErr(), keep).run();
  }
}
