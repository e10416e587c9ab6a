package io.krypton.agent.gate.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.serve.HealthChecks.Check;
import io.krypton.agent.gate.serve.HealthChecks.GateChecks;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.serve.HealthChecks.HealthEndpoint;
import io.krypton.agent.gate.serve.HealthChecks.KubeChecks;
import java.net.URLDecoder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers a path from a view of the gate; a pure function. */
final class HealthPages {
  private static final String WITHHELD = "reason withheld";

  private final HealthChecks healthChecks;
  private final boolean compat;
  private final boolean exposeReasons;

  /** Whatever the method, it is served as GET. */
  record Request(String path, @Nullable String query, boolean fromLoopback) {}

  HealthPages(boolean compat, boolean automaticReload, boolean exposeReasons) {
    this.compat = compat;
    this.healthChecks = compat ? new KubeChecks(automaticReload) : new GateChecks();
    this.exposeReasons = exposeReasons;
  }

  List<Check> checks(HealthEndpoint endpoint, GateView view) {
    return healthChecks.of(endpoint, view);
  }

  /** The endpoint of a path that is exactly one. */
  static Optional<HealthEndpoint> root(String path) {
    for (var endpoint : HealthEndpoint.values()) {
      if (path.equals(endpoint.path())) {
        return Optional.of(endpoint);
      }
    }
    return Optional.empty();
  }

  Response respond(Request request, GateView view) {
    for (var endpoint : HealthEndpoint.values()) {
      if (request.path().equals(endpoint.path())) {
        return withVerdictHeader(endpoint, view, rootPage(endpoint, request, view));
      }
      if (request.path().startsWith(endpoint.path() + "/")) {
        var name = request.path().substring(endpoint.path().length() + 1);
        return checkError(endpoint, name, view)
            .map(fault -> withVerdictHeader(endpoint, view, checkResponse(fault, request)))
            .orElse(Response.NOT_FOUND);
      }
    }
    return Response.NOT_FOUND;
  }

  private Response withVerdictHeader(HealthEndpoint endpoint, GateView view, Response response) {
    return endpoint.includesPlugins() && !compat
        ? response.withVerdict(view.status().overall().value())
        : response;
  }

  private Response rootPage(HealthEndpoint endpoint, Request request, GateView view) {
    var queryParameters = QueryParameters.parse(request.query());
    var all = healthChecks.of(endpoint, view);
    var page = new HealthTextPage(endpoint, all, queryParameters, compat);
    return !compat && queryParameters.first("format").equals("json")
        ? new HealthJsonPage(maySeeReasons(request)).response(endpoint, page, all, view)
        : page.response(queryParameters.has("verbose"));
  }

  private boolean maySeeReasons(Request request) {
    return exposeReasons || request.fromLoopback();
  }

  /** What is wrong with the named part: nothing, or a text; no value if there is no such part. */
  private Optional<String> checkError(HealthEndpoint endpoint, String name, GateView view) {
    var all = healthChecks.of(endpoint, view);
    var own = all.stream().filter(check -> check.name().equals(name)).findFirst();
    if (own.isPresent()) {
      return own.map(Check::fault);
    }
    if (compat || !endpoint.includesPlugins()) {
      return Optional.empty();
    }
    if (name.equals(HealthChecks.GROUP)) {
      return Optional.of(
          HealthChecks.aggregate(
              all.stream()
                  .filter(check -> check.group().equals(HealthChecks.GROUP) && check.required())
                  .toList()));
    }
    return name.startsWith("kms/")
        ? byProviderName(name.substring("kms/".length()), all)
        : Optional.empty();
  }

  private static Optional<String> byProviderName(String segment, List<Check> all) {
    if (segment.isEmpty() || segment.indexOf('/') >= 0) {
      return Optional.empty();
    }
    String name;
    try {
      // A plus sign in a path is a plus sign.
      name = URLDecoder.decode(segment.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
    var found =
        all.stream()
            .filter(
                check ->
                    check.provider() != null && check.provider().provider().name().equals(name))
            .toList();
    return switch (found.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(found.getFirst().fault());
      default -> Optional.of(HealthChecks.aggregate(found));
    };
  }

  private Response checkResponse(String fault, Request request) {
    if (fault.isEmpty()) {
      return Response.text(200, "ok").withoutNosniff();
    }
    var shown = maySeeReasons(request) ? fault : WITHHELD;
    return Response.text(500, "internal server error: " + shown + "\n");
  }

  /**
   * An answer.
   *
   * @param nosniff whether peers are told not to guess the type
   * @param verdict for the header of that name; empty for none
   */
  record Response(int status, String contentType, boolean nosniff, String verdict, String body) {
    private static final String TEXT = "text/plain; charset=utf-8";

    static final Response NOT_FOUND = text(404, "404 page not found\n");

    static Response text(int status, String body) {
      return new Response(status, TEXT, true, "", body);
    }

    Response withVerdict(String word) {
      return new Response(status, contentType, nosniff, word, body);
    }

    Response withContentType(String type) {
      return new Response(status, type, nosniff, verdict, body);
    }

    Response withoutNosniff() {
      return new Response(status, contentType, false, verdict, body);
    }
  }
}
