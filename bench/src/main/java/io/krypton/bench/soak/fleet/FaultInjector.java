// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import io.krypton.bench.soak.plan.SoakStep.FaultStep;
import io.krypton.sandbox.fault.Fault;
import java.time.Duration;

/** Makes the trouble of a schedule, and takes it back. */
public record FaultInjector(SoakFleet fleet) {
  private static final Duration MOST_DELAY = Duration.ofSeconds(3);

  /** Certificates are good for an hour before they are made, so a clock may be behind by less. */
  private static final Duration MOST_JUMP = Duration.ofMinutes(50);

  private static final long MOST_BYTES = 40_000;
  private static final Duration LEAST_LIFETIME = Duration.ofSeconds(4);
  private static final Duration MORE_LIFETIME = Duration.ofSeconds(10);
  private static final int PERCENT = 100;

  public void begin(FaultStep step) throws Exception {
    var place = step.target().place();
    var replica = step.target().replica();
    switch (step.fault()) {
      case KILL -> fleet.replica(replica).kill(isEven(step));
      case TERMINATE -> fleet.replica(replica).terminate();
      case FREEZE -> fleet.replica(replica).freeze();
      case CLOCK_JUMP -> fleet.replica(replica).clock().set(jump(step));
      case FULL_DISK -> fleet.replica(replica).disk().fill();
      case KILL_WORKER -> fleet.replica(replica).killChildren();
      case FREEZE_WORKER -> fleet.replica(replica).freezeChildren();
      case REFUSE -> inject(step, new Fault.Refuse());
      case BLACK_HOLE -> inject(step, new Fault.BlackHole());
      case SLOW -> inject(step, new Fault.Delay(part(MOST_DELAY, step)));
      case CUT -> inject(step, new Fault.CutAfter(MOST_BYTES * step.strength() / PERCENT));
      case ERRORS -> inject(step, error(step));
      case API_SERVER_RESTART -> {
        if (isEven(step)) {
          fleet.plane(place).apiServer().stop();
        } else {
          fleet.plane(place).apiServer().kill();
        }
      }
      case API_SERVER_FREEZE -> fleet.plane(place).apiServer().freeze();
      case ETCD_RESTART -> fleet.plane(place).etcd().kill();
      case EXPIRED_CREDENTIALS ->
          fleet.renewCredentials(place, LEAST_LIFETIME.plus(part(MORE_LIFETIME, step)));
      case LABEL_OFF -> fleet.label(place, false);
    }
  }

  public void end(FaultStep step) throws Exception {
    var place = step.target().place();
    var replica = step.target().replica();
    switch (step.fault()) {
      case KILL, TERMINATE -> fleet.replica(replica).start();
      case FREEZE, FREEZE_WORKER -> fleet.replica(replica).thaw();
      case CLOCK_JUMP -> fleet.replica(replica).clock().set(Duration.ZERO);
      case FULL_DISK -> fleet.replica(replica).disk().clear();
      case KILL_WORKER -> {
        // Nothing is left to be taken back.
      }
      case REFUSE, BLACK_HOLE, SLOW, CUT, ERRORS -> inject(step, new Fault.Pass());
      case API_SERVER_RESTART -> SoakFleet.run(fleet.plane(place).apiServer());
      case API_SERVER_FREEZE -> fleet.plane(place).apiServer().thaw();
      case ETCD_RESTART -> {
        SoakFleet.run(fleet.plane(place).etcd());
        // It ends by itself if it was just about to start.
        SoakFleet.run(fleet.plane(place).apiServer());
      }
      case EXPIRED_CREDENTIALS -> fleet.renewCredentials(place, SoakFleet.LONG);
      case LABEL_OFF -> fleet.label(place, true);
    }
  }

  /** Every other black hole and delay meets connections that are open, and leaves them so. */
  private void inject(FaultStep step, Fault fault) {
    for (var link : fleet.links(step.target())) {
      if (isEven(step)) {
        link.inject(fault);
      } else {
        link.injectKeepingConnections(fault);
        if (fault instanceof Fault.Answer || fault instanceof Fault.Refuse) {
          link.cutConnections();
        }
      }
    }
  }

  private static Fault error(FaultStep step) {
    return switch (step.strength() % 3) {
      case 0 -> Fault.answer(429).retryAfter(Duration.ofSeconds(1));
      case 1 -> Fault.answer(500);
      default -> Fault.answer(503);
    };
  }

  private static Duration jump(FaultStep step) {
    var far = part(MOST_JUMP, step);
    return isEven(step) ? far : far.negated();
  }

  private static Duration part(Duration most, FaultStep step) {
    return most.multipliedBy(step.strength() + 1).dividedBy(PERCENT);
  }

  private static boolean isEven(FaultStep step) {
    return step.strength() % 2 == 0;
  }
}
