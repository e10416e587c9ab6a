// SPDX-License-Identifier: Apache-2.0
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
 * Why a request to an API server failed.
 *
 * @param code the HTTP status, 0 without a response
 * @param reason the class of the failure, stable across repetitions
 * @param message for people
 */
public record ApiFailure(int code, String reason, String message) {
  public static ApiFailure of(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException answer && answer.getCode() > 0) {
        return new ApiFailure(
            answer.getCode(), "HTTP " + answer.getCode(), messageOfServer(answer));
      }
    }
    var meaningful = withoutWrappers(thrown);
    return new ApiFailure(0, meaningful.getClass().getSimpleName(), messageOf(meaningful));
  }

  /** The message of the server: the library's repeats the request and the whole response. */
  private static String messageOfServer(KubernetesClientException answer) {
    var status = answer.getStatus();
    return status == null || status.getMessage() == null ? messageOf(answer) : status.getMessage();
  }

  /** The outermost exception that is not a mere wrapper. */
  private static Throwable withoutWrappers(Throwable thrown) {
    var meaningful = thrown;
    for (var cause = meaningful.getCause();
        cause != null && isWrapper(meaningful);
        cause = cause.getCause()) {
      meaningful = cause;
    }
    return meaningful;
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

  /** Logs the failures of one watch: when the class changes, then sparsely with a count. */
  static final class WatchFailureLog {
    private static final Logger log = LoggerFactory.getLogger(ObjectCache.class);

    private final String watch;
    private RepeatedFailure repeated = RepeatedFailure.NONE;
    private @Nullable ApiFailure last;

    WatchFailureLog(String watch) {
      this.watch = watch;
    }

    synchronized void failed(Throwable thrown) {
      var failure = ApiFailure.of(thrown);
      last = failure;
      repeated = repeated.next(failure.reason());
      if (repeated.shouldLog()) {
        log.atWarn()
            .addKeyValue("watch", watch)
            .addKeyValue("reason", failure.reason())
            .addKeyValue("count", repeated.count())
            .log("watch failed, cache is stale: {}", failure.message());
      }
    }

    synchronized void recovered() {
      if (last != null) {
        log.atInfo().addKeyValue("watch", watch).log("watch recovered");
      }
      last = null;
      repeated = RepeatedFailure.NONE;
    }

    synchronized Optional<ApiFailure> current() {
      return Optional.ofNullable(last);
    }
  }
}
