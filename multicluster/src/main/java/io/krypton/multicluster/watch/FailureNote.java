package io.krypton.multicluster.watch;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers and logs the failures of one watch: one line when they change, then ever fewer. */
final class FailureNote {
  private static final Logger log = LoggerFactory.getLogger(ObjectCache.class);

  private final String watch;
  private Streak streak = Streak.NONE;
  private @Nullable ApiFailure last;

  FailureNote(String watch) {
    this.watch = watch;
  }

  synchronized void failed(Throwable thrown) {
    var failure = ApiFailure.of(thrown);
    last = failure;
    streak = streak.next(failure.reason());
    if (streak.isWorthALine()) {
      log.atWarn()
          .addKeyValue("watch", watch)
          .addKeyValue("reason", failure.reason())
          .addKeyValue("count", streak.count())
          .log("watch failed, the cache keeps what it has: {}", failure.message());
    }
  }

  synchronized void recovered() {
    if (last != null) {
      log.atInfo().addKeyValue("watch", watch).log("watch works again");
    }
    last = null;
    streak = Streak.NONE;
  }

  synchronized Optional<ApiFailure> current() {
    return Optional.ofNullable(last);
  }
}
