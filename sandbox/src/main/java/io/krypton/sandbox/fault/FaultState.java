// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The fault of the moment, and the place where connections wait for the next one. */
final class FaultState {
  private Phase current = new Phase(0, new Fault.Pass());
  private Fault.Answer lastAnswer = Fault.answer(503);
  private int answersLeft;
  private long answersUntil;

  /** The time between two turns of the switch. */
  record Phase(long number, Fault fault) {}

  /** For requests whose connection was routed to the answering server before the fault changed. */
  synchronized Fault.Answer lastAnswer() {
    return lastAnswer;
  }

  synchronized void switchTo(Fault next) {
    current = new Phase(current.number() + 1, next);
    if (next instanceof Fault.Answer answer) {
      lastAnswer = answer;
      answersLeft = answer.times().orElse(Integer.MAX_VALUE);
      answersUntil = System.nanoTime() + answer.period().orElse(Duration.ofDays(1)).toNanos();
    }
    notifyAll();
  }

  /** Takes one of the limited answers, or turns to passing when there is none left. */
  synchronized Fault forNewConnection() {
    if (current.fault() instanceof Fault.Answer) {
      if (answersLeft == 0 || System.nanoTime() - answersUntil >= 0) {
        switchTo(new Fault.Pass());
      } else {
        answersLeft--;
      }
    }
    return current.fault();
  }

  /** Returns when bytes may flow, or when the connection is gone. */
  synchronized Phase awaitFlow(BooleanSupplier gone) throws InterruptedException {
    while (current.fault() instanceof Fault.BlackHole && !gone.getAsBoolean()) {
      wait();
    }
    return current;
  }

  /** Returns after that time, or when the connection is gone. */
  synchronized void delay(Duration time, BooleanSupplier gone) throws InterruptedException {
    var deadline = System.nanoTime() + time.toNanos();
    for (var left = time.toNanos(); left > 0 && !gone.getAsBoolean(); ) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = deadline - System.nanoTime();
    }
  }

  synchronized void notifyWaiters() {
    notifyAll();
  }
}
