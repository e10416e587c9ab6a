package io.krypton.operator.chart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** Files over HTTP on loopback, with the requests it got. */
final class ChartServer implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();

  ChartServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return "http://" + address();
  }

  ChartServer serve(String path, byte[] content) {
    files.put(path, content);
    return this;
  }

  /** Answers with this status instead; 200 ends that. */
  ChartServer fail(String path, int status) {
    failures.put(path, status);
    return this;
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      requests.add(path);
      var status = failures.getOrDefault(path, 200);
      var content = files.get(path);
      if (status != 200 || content == null) {
        exchange.sendResponseHeaders(status == 200 ? 404 : status, -1);
        return;
      }
      var type = path.contains("/manifests/") ? "application/vnd.oci.image.manifest.v1+json" : null;
      if (type != null) {
        exchange.getResponseHeaders().set("Content-Type", type);
      }
      var head = exchange.getRequestMethod().equals("HEAD");
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
      exchange.sendResponseHeaders(200, head ? -1 : content.length);
      if (!head) {
        exchange.getResponseBody().write(content);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
