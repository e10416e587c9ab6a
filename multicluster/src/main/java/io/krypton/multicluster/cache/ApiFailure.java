package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why an exchange with an API server failed.
 *
 * @param code what the server answered, 0 if it did not answer
 * @param reason the class of the failure, the same for each repetition
 * @param message for people
 */
public record ApiFailure(int code, String reason, String message) {
  public static ApiFailure of(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException answer && answer.getCode() > 0) {
        return new ApiFailure(answer.getCode(), "HTTP " + answer.getCode(), saidBy(answer));
      }
    }
    var telling = withoutWrappers(thrown);
    return new ApiFailure(0, telling.getClass().getSimpleName(), messageOf(telling));
  }

  /** In the server's own words: the library's repeat the request and print the whole answer. */
  private static String saidBy(KubernetesClientException answer) {
    var status = answer.getStatus();
    return status == null || status.getMessage() == null ? messageOf(answer) : status.getMessage();
  }

  /** The outermost exception that says more than that something failed. */
  private static Throwable withoutWrappers(Throwable thrown) {
    var telling = thrown;
    for (var cause = telling.getCause();
        cause != null && isWrapper(telling);
        cause = cause.getCause()) {
      telling = cause;
    }
    return telling;
  }

  private static boolean isWrapper(Throwable thrown) {
    return thrown instanceof KubernetesClientException
        || thrown instanceof CompletionException
        || thrown instanceof ExecutionException
        || thrown.getClass() == IOException.class;
  }

  private static String messageOf(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause)
        .map(Throwable::getMessage)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse("no further details");
  }

  /** Remembers and logs the failures of one watch: one line when they change, then ever fewer. */
  static final class WatchFailureLog {
    private static final Logger log = LoggerFactory.getLogger(ObjectCache.class);

    private final String watch;
    private FailureStreak failureStreak = FailureStreak.NONE;
    private @Nullable ApiFailure last;

    WatchFailureLog(String watch) {
      this.watch = watch;
    }

    synchronized void failed(Throwable thrown) {
      var failure = ApiFailure.of(thrown);
      last = failure;
      failureStreak = failureStreak.next(failure.reason());
      if (failureStreak.shouldLog()) {
        log.atWarn()
            .addKeyValue("watch", watch)
            .addKeyValue("reason", failure.reason())
            .addKeyValue("count", failureStreak.count())
            .log("watch failed, the cache keeps what it has: {}", failure.message());
      }
    }

    synchronized void recovered() {
      if (last != null) {
        log.atInfo().addKeyValue("watch", watch).log("watch works again");
      }
      last = null;
      failureStreak = FailureStreak.NONE;
    }

    synchronized Optional<ApiFailure> current() {
      return Optional.ofNullable(last);
    }
  }
}
