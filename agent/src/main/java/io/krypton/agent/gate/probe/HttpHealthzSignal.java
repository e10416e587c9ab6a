// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.config.GateSettingsFile.HttpHealthz;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnection;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The HTTP health page of a plugin: 200 is no objection, 500 usually the end, all else a wait. */
final class HttpHealthzSignal implements StatusSignal {
  private static final int MAX_BODY = 4096;
  private static final int MAX_SHOWN = 256;

  private final HttpHealthz page;
  private final Duration timeout;

  private record Reply(int status, String body) {}

  HttpHealthzSignal(HttpHealthz page, Duration timeout) {
    this.page = page;
    this.timeout = timeout;
  }

  @Override
  public Optional<ProbeFinding> check(RpcResult<PluginStatus> status, PluginConnection connection)
      throws InterruptedException {
    var reply = new CompletableFuture<Reply>();
    HttpURLConnection request;
    try {
      request = (HttpURLConnection) address().openConnection();
    } catch (IOException e) {
      return objection(Verdict.WAIT, "", "unreachable");
    }
    var asking = Thread.ofVirtual().name("http-healthz").start(() -> sendRequest(request, reply));
    try {
      // The limits of the connection bound each read; a trickle of bytes needs one for the whole.
      return evaluate(reply.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return objection(Verdict.WAIT, "", "no answer within " + timeout.toMillis() + "ms");
    } catch (ExecutionException e) {
      return objection(Verdict.WAIT, "", "unreachable");
    } finally {
      asking.interrupt();
      request.disconnect();
    }
  }

  private URL address() throws IOException {
    return page.url().toURL();
  }

  private void sendRequest(HttpURLConnection request, CompletableFuture<Reply> reply) {
    try {
      var millis = Math.toIntExact(Math.min(timeout.toMillis(), Integer.MAX_VALUE));
      request.setConnectTimeout(millis);
      request.setReadTimeout(millis);
      request.setInstanceFollowRedirects(false);
      request.setUseCaches(false);
      request.setRequestProperty("Connection", "close");
      var code = request.getResponseCode();
      reply.complete(new Reply(code, body(code, request)));
    } catch (IOException | RuntimeException e) {
      reply.completeExceptionally(e);
    }
  }

  private static String body(int code, HttpURLConnection request) throws IOException {
    try (var in = stream(code, request)) {
      return in == null ? "" : new String(in.readNBytes(MAX_BODY), UTF_8);
    }
  }

  private static @Nullable InputStream stream(int code, HttpURLConnection request)
      throws IOException {
    return code >= 400 ? request.getErrorStream() : request.getInputStream();
  }

  private Optional<ProbeFinding> evaluate(Reply reply) {
    return switch (reply.status()) {
      case 200 -> Optional.empty();
      case 500 -> objection(page.on500(), "http:500", describe(reply));
      default -> objection(Verdict.WAIT, "http:" + reply.status(), describe(reply));
    };
  }

  private static String describe(Reply reply) {
    var start = reply.body().substring(0, Math.min(reply.body().length(), MAX_SHOWN));
    return "answers %d %s".formatted(reply.status(), start);
  }

  private static Optional<ProbeFinding> objection(Verdict verdict, String code, String message) {
    var reason = Reason.HTTP_HEALTHZ;
    return Optional.of(
        new ProbeFinding(
            reason, ProbePhase.HTTP, code, verdict, "healthz " + message, reason.hint()));
  }
}
