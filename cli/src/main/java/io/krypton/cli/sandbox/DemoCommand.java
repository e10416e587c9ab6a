// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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

  /** The story: from an API server that waits for its plugin to a fleet that is left clean. */
  static final class Demo {
    private static final int STEPS = 7;

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean keep;

    Demo(PrintWriter out, PrintWriter err, boolean keep) {
      this.out = out;
      this.err = err;
      this.keep = keep;
    }

    int run() throws InterruptedException {
      var progressPrinter = new ProgressPrinter(out, STEPS);
      DemoEnvironment demoEnvironment;
      try {
        demoEnvironment = new DemoEnvironment(progressPrinter);
      } catch (IOException | RuntimeException missing) {
        err.printf("krypton sandbox demo: %s%n", missing.getMessage());
        return 1;
      }
      Runtime.getRuntime()
          .addShutdownHook(
              Thread.ofPlatform().name("shutdown").unstarted(() -> end(demoEnvironment)));
      try {
        runSteps(demoEnvironment);
        demoEnvironment.close();
        progressPrinter.line("Nothing is left behind.");
        return 0;
      } catch (InterruptedException stopped) {
        throw stopped;
      } catch (Exception failure) {
        demoEnvironment.keepLogs();
        err.printf(
            "krypton sandbox demo: %s failed: %s%nLogs: %s%n",
            progressPrinter.currentStep(), reasonOf(failure), demoEnvironment.directory);
        return 1;
      }
    }

    private static String reasonOf(Exception failure) {
      var message = failure.getMessage();
      return message == null ? failure.getClass().getSimpleName() : message;
    }

    private void end(DemoEnvironment demoEnvironment) {
      try {
        demoEnvironment.close();
      } catch (IOException e) {
        err.printf("krypton sandbox demo: %s%n", e.getMessage());
        err.flush();
      }
    }

    private void runSteps(DemoEnvironment demoEnvironment) throws Exception {
      var kms = new KmsPluginFiles(demoEnvironment.directory);
      var encryption = new EncryptionDemo(demoEnvironment, kms);
      var rollout = new RolloutDemo(demoEnvironment);

      var plugin = encryption.waitForPlugin();
      encryption.startControlPlanes();
      rollout.engage();
      rollout.rollOut();
      rollout.repair();
      new KmsHealthDemo(demoEnvironment, kms).run(plugin, encryption::startPlugin);
      if (keep) {
        waitForUser(demoEnvironment);
      }
      rollout.cleanUp();
    }

    /** Returns never: Ctrl-C ends the process, and with it all that it has started. */
    private void waitForUser(DemoEnvironment demoEnvironment) throws InterruptedException {
      out.printf(
          "%nAll of it runs until you press Ctrl-C. In another terminal:%n"
              + "  export KUBECONFIG=%s:%s%n",
          demoEnvironment.file("home.kubeconfig"), demoEnvironment.file("edge.kubeconfig"));
      out.flush();
      new CountDownLatch(1).await();
    }
  }
}
