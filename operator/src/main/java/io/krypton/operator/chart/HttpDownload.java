package io.krypton.operator.chart;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Downloads to a file within a time and a size. */
final class HttpDownload implements AutoCloseable {
  private final Duration limit;
  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(10))
          .followRedirects(Redirect.NORMAL)
          .build();

  HttpDownload(Duration limit) {
    this.limit = limit;
  }

  /** The HTTP status; the file holds the body, whatever the status. */
  int get(URI uri, Path file, long largest) throws LoadFailure {
    var request = HttpRequest.newBuilder(uri).build();
    var answer =
        client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofFile(file), largest));
    try {
      // Not the timeout of the request, which ends with the headers: a body may trickle for ever.
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw LoadFailure.notLoaded("%s: no answer within %d s".formatted(uri, limit.toSeconds()));
    } catch (ExecutionException e) {
      throw LoadFailure.notLoaded("%s: %s".formatted(uri, reason(e.getCause())));
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw LoadFailure.notLoaded(uri + ": stopped");
    }
  }

  private static String reason(@Nullable Throwable cause) {
    return switch (cause) {
      case ConnectException refused -> "cannot connect";
      case IOException problem when problem.getMessage() != null -> problem.getMessage();
      case null -> "failed";
      default -> cause.getClass().getSimpleName();
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
