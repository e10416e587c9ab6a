// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.krypton.agent.json.JsonTree;
import io.krypton.base.text.Redactor;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Turns what came back, or what went wrong, into an {@link ApiResult}. */
final class ResponseClassifier {
  private static final String UNDECLARED_FIELD = "field not declared in schema";
  private static final Duration MAX_RETRY_AFTER = Duration.ofSeconds(60);

  private ResponseClassifier() {}

  static ApiResult classify(HttpResponse<byte[]> response) {
    int status = response.statusCode();
    var body = json(response.body());
    if (status / 100 == 2) {
      return new ApiResult.Done(body);
    }
    var message = body.path("message").asText("");
    var explanation = Redactor.byShape().summarize(status + " " + message);
    // The only answer known by its text: its status is that of any failure inside the server.
    if (message.contains(UNDECLARED_FIELD)) {
      return new ApiResult.UndeclaredField(explanation);
    }
    return switch (status) {
      case 401 -> new ApiResult.Unauthorized(explanation);
      case 403 -> new ApiResult.Forbidden(explanation);
      case 404 -> new ApiResult.NotFound(explanation);
      case 409 -> new ApiResult.Conflict(explanation);
      case 429 -> new ApiResult.Throttled(retryAfter(response), explanation);
      default ->
          status >= 500
              ? new ApiResult.ServerError(status, retryAfter(response), explanation)
              : new ApiResult.Invalid(status, rejectedFields(body), explanation);
    };
  }

  private static List<String> rejectedFields(JsonNode body) {
    return body.at("/details/causes")
        .valueStream()
        .map(cause -> cause.path("field").asText(""))
        .toList();
  }

  private static JsonNode json(byte[] body) {
    try {
      return JsonTree.read(body);
    } catch (IOException e) {
      return MissingNode.getInstance(); // a proxy's page, of which nobody here can make sense
    }
  }

  /** Seconds only; a date would depend on the clock of the server. */
  private static Optional<Duration> retryAfter(HttpResponse<?> response) {
    return response
        .headers()
        .firstValue("Retry-After")
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,9}"))
        .map(text -> Duration.ofSeconds(Long.parseLong(text)))
        .map(pause -> pause.compareTo(MAX_RETRY_AFTER) > 0 ? MAX_RETRY_AFTER : pause);
  }

  static String explain(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnresolvedAddressException) {
        return "the host name cannot be resolved";
      }
    }
    return switch (failure) {
      case HttpConnectTimeoutException _ -> "no connection within 2 s";
      case ConnectException _ -> "connection refused";
      case SSLException e -> "TLS: " + Redactor.byShape().summarize(String.valueOf(e.getMessage()));
      default ->
          failure.getClass().getSimpleName()
              + ": "
              + Redactor.byShape().summarize(String.valueOf(failure.getMessage()));
    };
  }
}
