// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.krypton.cli.view.ProgressLine.Count;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells on standard error how far a long command is; a command that ends at once tells nothing. On
 * a terminal that is one line, drawn again in place and erased at the end. Elsewhere it is a line
 * of its own now and then: soon after something has changed, rarely otherwise.
 */
public final class Progress implements AutoCloseable {
  private static final Duration TICK = Duration.ofMillis(100);

  private final PrintWriter err;
  private final Pace pace;
  private final int columns;
  private final LongSupplier nanoTime;
  private final long started;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<Counter> counters = new ArrayList<>();
  private String label;
  private @Nullable ProgressLine shown;
  private String shownText = "";
  private Duration shownAt = Duration.ZERO;
  private boolean drawn;

  /** When something is shown for the first time, after a change, and without one. */
  private record Pace(Duration first, Duration changed, Duration unchanged) {
    static final Pace TERMINAL = new Pace(Duration.ofMillis(500), TICK, TICK);
    static final Pace LINES =
        new Pace(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(30));
  }

  /**
   * Shows what {@link #tick} is called for.
   *
   * @param columns of the terminal, 0 for lines
   */
  Progress(PrintWriter err, int columns, LongSupplier nanoTime, String label) {
    this.err = err;
    this.pace = columns > 0 ? Pace.TERMINAL : Pace.LINES;
    this.columns = columns;
    this.nanoTime = nanoTime;
    this.started = nanoTime.getAsLong();
    this.label = label;
  }

  /** Begins to tell about a command; it ends with {@link #close}. */
  public static Progress start(PrintWriter err, String label) {
    var progress = new Progress(err, Terminal.redrawnColumns(), System::nanoTime, label);
    Thread.ofVirtual().name("progress").start(progress::run);
    return progress;
  }

  /**
   * As {@link #start}, for answers that programs read: what is no terminal gets no line, because
   * whoever sends both outputs to one place would find it within the answer.
   */
  public static Progress startOnTerminal(PrintWriter err, String label) {
    return Terminal.redrawnColumns() > 0
        ? start(err, label)
        : new Progress(err, 0, System::nanoTime, label);
  }

  private void run() {
    try {
      while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
        tick();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** What is being done now. */
  public synchronized void label(String text) {
    this.label = text;
  }

  /** Counts units of work, within the current unit of those that are counted already. */
  public synchronized Counter count(int total, String unit) {
    var counter = new Counter(total, unit);
    counters.add(counter);
    return counter;
  }

  /** Prints a line of the answer, to where answers go; the line of progress makes way. */
  public synchronized void print(PrintWriter out, String line) {
    erase();
    out.println(line);
    out.flush();
  }

  synchronized void tick() {
    if (closed.getCount() == 0) {
      return;
    }
    var elapsed = Duration.ofNanos(nanoTime.getAsLong() - started);
    var line = new ProgressLine(label, counters.stream().map(Counter::snapshot).toList());
    if (elapsed.compareTo(nextShow(line)) < 0) {
      return;
    }
    if (columns > 0) {
      draw(line.drawn(elapsed, columns));
    } else {
      err.println(line.text(elapsed));
      err.flush();
    }
    shown = line;
    shownAt = elapsed;
  }

  private Duration nextShow(ProgressLine line) {
    if (shown == null) {
      return pace.first();
    }
    return shownAt.plus(line.equals(shown) ? pace.unchanged() : pace.changed());
  }

  private void draw(String text) {
    if (!drawn || !text.equals(shownText)) {
      err.print("\r" + text + "\033[K");
      err.flush();
      shownText = text;
      drawn = true;
    }
  }

  private void erase() {
    if (drawn) {
      err.print("\r\033[K");
      err.flush();
      drawn = false;
    }
  }

  /** Nothing is shown any more; may be called twice. */
  @Override
  public synchronized void close() {
    erase();
    closed.countDown();
  }

  /** One of the counts that are shown, until it is closed. */
  public final class Counter implements AutoCloseable {
    private final int total;
    private final String unit;
    private int done;

    private Counter(int total, String unit) {
      this.total = total;
      this.unit = unit;
    }

    public void advance() {
      synchronized (Progress.this) {
        done++;
      }
    }

    public void reached(int units) {
      synchronized (Progress.this) {
        done = units;
      }
    }

    private Count snapshot() {
      return new Count(done, total, unit);
    }

    @Override
    public void close() {
      synchronized (Progress.this) {
        counters.remove(this);
      }
    }
  }
}
