package io.krypton.multicluster.leader;

import io.krypton.multicluster.watch.Streak;
import org.slf4j.Logger;

/** Logs what an election does, each thing when it changes. */
final class AttemptLog {
  private final Logger log;
  private Streak failures = Streak.NONE;
  private String leader = "";

  AttemptLog(Logger log) {
    this.log = log;
  }

  void leading(String identity) {
    succeeded();
    leader = identity;
    log.atInfo().addKeyValue("identity", identity).log("leading");
  }

  void following(String holder) {
    succeeded();
    if (!holder.equals(leader) && !holder.isEmpty()) {
      leader = holder;
      log.atInfo().addKeyValue("leader", holder).log("following");
    }
  }

  void stoppedLeading(boolean orderly) {
    leader = "";
    if (orderly) {
      log.info("no longer leading, this process stops");
    } else {
      log.warn("no longer leading, this process stands for election again");
    }
  }

  void succeeded() {
    failures = Streak.NONE;
  }

  void failed(String what, RuntimeException failure) {
    failures = failures.next(what + failure.getClass().getName());
    if (failures.isWorthALine()) {
      log.atWarn()
          .addKeyValue("count", failures.count())
          .addKeyValue("cause", String.valueOf(failure.getMessage()))
          .log(what);
    }
  }
}
