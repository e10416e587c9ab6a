package io.krypton.operator.observe;

import com.sun.net.httpserver.HttpExchange;
import io.krypton.operator.observe.HttpPageServer.Response;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;

/** What stands before the pages of a server; its two parts know nothing of each other. */
public record ServerSecurity(Optional<ServingTls> tls, Authorizer authorizer) {
  public static ServerSecurity none() {
    return new ServerSecurity(Optional.empty(), request -> Optional.empty());
  }

  /** TLS whose settings may change while the server runs. */
  public interface ServingTls {
    /** Asked for a new engine for each connection. */
    SSLContext context();

    /** Whether a connection was made with the settings of now. */
    boolean isCurrent(SSLSession session);
  }

  /** Decides who sees the pages. */
  @FunctionalInterface
  public interface Authorizer {
    /** What to answer instead of the page; empty lets the request through. */
    Optional<Response> refusal(Request request) throws InterruptedException;
  }

  /**
   * What a gate may know of a request.
   *
   * @param authorization the values of the header of that name
   * @param peer the address it comes from
   */
  public record Request(String method, String path, List<String> authorization, String peer) {
    public Request {
      authorization = List.copyOf(authorization);
    }

    static Request of(HttpExchange exchange) {
      var values = exchange.getRequestHeaders().get("Authorization");
      return new Request(
          exchange.getRequestMethod(),
          exchange.getRequestURI().getPath(),
          values == null ? List.of() : values,
          exchange.getRemoteAddress().getAddress().getHostAddress());
    }

    @Override
    public String toString() {
      return method + " " + path;
    }
  }
}
