// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.access.KubeApi;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Asks a gate and a kube-apiserver about the same provider until both have changed their mind. */
record SideBySide(InetSocketAddress gate, KubeApi apiServer) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final Pattern REASON = Pattern.compile("(WAIT|FATAL) (\\w+)");

  private static final List<String> HEAD =
      List.of("scenario", "gate / API server", "red gate", "red API", "green gate", "green API");

  /** Status and text of a check. */
  record Answer(int status, String text) {
    boolean isGreen() {
      return status == 200;
    }
  }

  /** How long each took to change. */
  record Times(Duration gate, Duration apiServer) {
    /** Each asks a failing plugin every three seconds, and who comes first is chance. */
    private static final Duration ONE_PROBE = Duration.ofSeconds(3);

    boolean gateIsInTime() {
      return gate.compareTo(apiServer.plus(ONE_PROBE)) <= 0;
    }
  }

  /** The times, and what the gate said first. */
  record Change(Times times, Answer gate) {}

  /** One scenario; times are missing where nobody changed. */
  record Row(String name, String verdicts, @Nullable Times red, @Nullable Times green) {
    boolean gateIsInTime() {
      return (red == null || red.gateIsInTime()) && (green == null || green.gateIsInTime());
    }
  }

  boolean apiServerAnswers() {
    return askApiServer(0).status() > 0;
  }

  boolean apiServerIsGreen(int index) {
    return askApiServer(index).isGreen();
  }

  Change awaitRed(int index) {
    return awaitChange(index, false);
  }

  Times awaitGreen(int index) {
    return awaitChange(index, true).times();
  }

  private Change awaitChange(int index, boolean green) {
    var begin = System.nanoTime();
    var gateChanges =
        CompletableFuture.supplyAsync(
            () -> {
              var answer = poll(() -> askGate(index), green);
              return new Change(new Times(since(begin), PATIENCE), answer);
            },
            task -> Thread.ofVirtual().start(task));
    poll(() -> askApiServer(index), green);
    var apiServerTook = since(begin);
    var change = gateChanges.join();
    return new Change(new Times(change.times().gate(), apiServerTook), change.gate());
  }

  /** The first answer of the wanted colour. */
  private static Answer poll(Callable<Answer> ask, boolean green) {
    return await()
        .atMost(PATIENCE)
        .pollInterval(PAUSE)
        .pollDelay(Duration.ZERO)
        .until(ask, answer -> answer.status() > 0 && answer.isGreen() == green);
  }

  private static Duration since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  private Answer askGate(int index) {
    return get("/readyz/kms-provider-" + index);
  }

  String gatePage() {
    return get("/readyz?verbose").text();
  }

  private Answer get(String path) {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(gate.getPort(), path));
    try {
      var answer = HTTP.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Status 0 while it does not answer. */
  private Answer askApiServer(int index) {
    try {
      var answer = apiServer.get("/readyz/kms-provider-" + index);
      return new Answer(answer.status(), answer.body().asText());
    } catch (UncheckedIOException e) {
      return new Answer(0, "no connection");
    }
  }

  /** What both say now: the gate's verdict and reason, and whether kube-apiserver is content. */
  String words(int index) {
    var said = askGate(index);
    var reason = REASON.matcher(said.text());
    var ours = said.isGreen() ? "ok" : reason.find() ? reason.group() : said.text().strip();
    var theirs = askApiServer(index);
    return ours + " / " + (theirs.isGreen() ? "ok" : "failed");
  }

  static String table(List<Row> rows) {
    var width = rows.stream().mapToInt(row -> row.verdicts().length()).max().orElse(0);
    var text = new StringBuilder(line(width, HEAD));
    for (var row : rows) {
      text.append(
          line(
              width,
              List.of(
                  row.name(),
                  row.verdicts(),
                  row.red() == null ? "-" : millis(row.red().gate()),
                  row.red() == null ? "-" : millis(row.red().apiServer()),
                  row.green() == null ? "-" : millis(row.green().gate()),
                  row.green() == null ? "-" : millis(row.green().apiServer()))));
    }
    return text.toString();
  }

  private static String line(int verdicts, List<String> cells) {
    return ("%-20s %-" + Math.max(verdicts, 20) + "s %11s %11s %11s %11s%n")
        .formatted(cells.toArray());
  }

  private static String millis(Duration time) {
    return time.toMillis() + " ms";
  }
}
