package io.krypton.agent.gate.probing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.settings.HttpHealthz;
import io.krypton.kms.probe.StatusSignal;
import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.PluginConnection;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
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
final class HttpSignal implements StatusSignal {
  private static final int MAX_BODY = 4096;
  private static final int TOLD = 256;

  private final HttpHealthz page;
  private final Duration timeout;

  private record Reply(int status, String body) {}

  HttpSignal(HttpHealthz page, Duration timeout) {
    this.page = page;
    this.timeout = timeout;
  }

  @Override
  public Optional<Finding> objection(Answer<PluginStatus> status, PluginConnection connection)
      throws InterruptedException {
    var reply = new CompletableFuture<Reply>();
    HttpURLConnection request;
    try {
      request = (HttpURLConnection) address().openConnection();
    } catch (IOException e) {
      return objection(Verdict.WAIT, "", "unreachable");
    }
    var asking = Thread.ofVirtual().name("http-healthz").start(() -> ask(request, reply));
    try {
      // The limits of the connection bound each read; a trickle of bytes needs one for the whole.
      return read(reply.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
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

  private void ask(HttpURLConnection request, CompletableFuture<Reply> reply) {
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

  private Optional<Finding> read(Reply reply) {
    return switch (reply.status()) {
      case 200 -> Optional.empty();
      case 500 -> objection(page.on500(), "http:500", told(reply));
      default -> objection(Verdict.WAIT, "http:" + reply.status(), told(reply));
    };
  }

  private static String told(Reply reply) {
    var start = reply.body().substring(0, Math.min(reply.body().length(), TOLD));
    return "answers %d %s".formatted(reply.status(), start);
  }

  private static Optional<Finding> objection(Verdict verdict, String code, String message) {
    var reason = Reason.HTTP_HEALTHZ;
    return Optional.of(
        new Finding(reason, Phase.HTTP, code, verdict, "healthz " + message, reason.hint()));
  }
}
