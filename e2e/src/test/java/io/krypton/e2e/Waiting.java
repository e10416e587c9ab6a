// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/**
 * A process whose API server is away.
 *
 * @param alive whether the process still runs
 * @param live whether it says itself that it is well, without the API server
 * @param works whether it does what needs the API server
 */
record Waiting(
    String name, BooleanSupplier alive, Callable<Boolean> live, Callable<Boolean> works) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  boolean isHoldingOut() throws Exception {
    return alive.getAsBoolean() && live.call() && !works.call();
  }

  /** The status of a page of a process on this machine. */
  static int status(int port, String path) throws IOException, InterruptedException {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .timeout(Duration.ofSeconds(5))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
