package io.krypton.cli.sandbox.demo;

import io.krypton.cli.sandbox.stage.KmsFiles;
import io.krypton.cli.sandbox.stage.Narrator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;

/** The story: from an API server that waits for its plugin to a fleet that is left clean. */
final class Demo {
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
    var narrator = new Narrator(out, STEPS);
    Stage stage;
    try {
      stage = new Stage(narrator);
    } catch (IOException | RuntimeException missing) {
      err.printf("krypton sandbox demo: %s%n", missing.getMessage());
      return 1;
    }
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(() -> end(stage)));
    try {
      tell(stage);
      stage.close();
      narrator.line("Nothing is left behind.");
      return 0;
    } catch (InterruptedException stopped) {
      throw stopped;
    } catch (Exception failure) {
      stage.keepLogs();
      err.printf(
          "krypton sandbox demo: %s failed: %s%nLogs: %s%n",
          narrator.currentStep(), reasonOf(failure), stage.directory);
      return 1;
    }
  }

  private static String reasonOf(Exception failure) {
    var message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }

  private void end(Stage stage) {
    try {
      stage.close();
    } catch (IOException e) {
      err.printf("krypton sandbox demo: %s%n", e.getMessage());
      err.flush();
    }
  }

  private void tell(Stage stage) throws Exception {
    var kms = new KmsFiles(stage.directory);
    var encryption = new EncryptionChapter(stage, kms);
    var rollout = new RolloutChapter(stage);

    var plugin = encryption.holdUntilThePluginWorks();
    encryption.startControlPlanes();
    rollout.engage();
    rollout.rollOut();
    rollout.repair();
    new KmsHealthChapter(stage, kms).tell(plugin, encryption::startPlugin);
    if (keep) {
      waitForTheUser(stage);
    }
    rollout.withdraw();
  }

  /** Returns never: Ctrl-C ends the process, and with it all that it has started. */
  private void waitForTheUser(Stage stage) throws InterruptedException {
    out.printf(
        "%nAll of it runs until you press Ctrl-C. In another terminal:%n"
            + "  export KUBECONFIG=%s:%s%n",
        stage.file("home.kubeconfig"), stage.file("edge.kubeconfig"));
    out.flush();
    new CountDownLatch(1).await();
  }
}
