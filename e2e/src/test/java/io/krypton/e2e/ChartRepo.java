// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A chart repository over HTTP that can be out of order, with the requests it got. */
final class ChartRepo implements AutoCloseable {
  private static final Duration PACKING = Duration.ofSeconds(60);

  private final Path directory;
  private final HttpServer server;
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private volatile boolean down;

  ChartRepo(Path directory) throws IOException {
    this.directory = directory;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Adds the chart {@code app} in these versions. */
  ChartRepo with(String... versions) throws IOException, InterruptedException {
    for (var version : versions) {
      helm(
          "package", Operators.chart("app").toString(), "--version", version, "--destination", ".");
    }
    helm("repo", "index", ".");
    return this;
  }

  /** Adds a chart as it is. */
  ChartRepo withPacked(Path chart) throws IOException, InterruptedException {
    helm("package", chart.toString(), "--destination", ".");
    helm("repo", "index", ".");
    return this;
  }

  /** What the index promises about a version is not what the file holds. */
  ChartRepo withWrongDigest(String version) throws IOException {
    var archive = directory.resolve("app-" + version + ".tgz");
    Files.write(archive, Files.readAllBytes(directory.resolve("app-0.1.0.tgz")));
    return this;
  }

  private void helm(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(Assets.fromEnvironment().find(Binary.HELM).toString());
    command.addAll(List.of(arguments));
    var result = new Shell(directory).run(PACKING, command.toArray(String[]::new));
    if (result.exit() != 0) {
      throw new IllegalStateException(result.err());
    }
  }

  void down() {
    down = true;
  }

  void up() {
    down = false;
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      requests.add(path);
      var file = directory.resolve(path.substring(1)).normalize();
      if (down || !file.startsWith(directory) || !Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(down ? 503 : 404, -1);
        return;
      }
      var content = Files.readAllBytes(file);
      exchange.sendResponseHeaders(200, content.length);
      exchange.getResponseBody().write(content);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
