// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Tells a person what happens: numbered steps, the commands behind them, and signs of life while
 * they wait.
 */
public final class ProgressPrinter {
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final String INDENT = "      ";

  private final PrintWriter out;
  private final int steps;
  private int step;

  public ProgressPrinter(PrintWriter out, int steps) {
    this.out = out;
    this.steps = steps;
  }

  public void step(String what) {
    step++;
    out.printf("%n[%d/%d] %s%n", step, steps, what);
    out.flush();
  }

  public void line(String text) {
    text.lines().forEach(line -> out.println(INDENT + line));
    out.flush();
  }

  /** The step that is being told, for the message about its failure. */
  public String currentStep() {
    return "step %d of %d".formatted(step, steps);
  }

  /** Runs something slow, shows a dot for each second it takes, and ends the line with the time. */
  public <T> T waitFor(String what, Callable<T> work) throws Exception {
    out.print(INDENT + what + " ");
    out.flush();
    var started = System.nanoTime();
    var outcome = "failed";
    var dots = new Dots("");
    try {
      var result = work.call();
      outcome = String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - started) / 1e9);
      return result;
    } finally {
      dots.end();
      out.println(" " + outcome);
      out.flush();
    }
  }

  /** Shows a command, runs it, and shows what it printed. */
  public String command(String shown, Callable<String> work) throws Exception {
    line("$ " + shown);
    var dots = new Dots(INDENT);
    String printed;
    try {
      printed = work.call();
    } finally {
      dots.end();
    }
    line(printed);
    return printed;
  }

  /** A dot each second, on a line of their own if they have an indent. */
  private final class Dots {
    private final String indent;
    private final Thread thread;
    private boolean shown;

    Dots(String indent) {
      this.indent = indent;
      this.thread = Thread.ofVirtual().start(this::show);
    }

    private void show() {
      try {
        while (true) {
          Thread.sleep(TICK);
          out.print(shown ? "." : indent + ".");
          out.flush();
          shown = true;
        }
      } catch (InterruptedException done) {
        Thread.currentThread().interrupt();
      }
    }

    void end() throws InterruptedException {
      thread.interrupt();
      thread.join();
      if (shown && !indent.isEmpty()) {
        out.println();
      }
    }
  }
}
