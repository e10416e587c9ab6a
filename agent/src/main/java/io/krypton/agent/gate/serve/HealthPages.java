package io.krypton.agent.gate.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers a path from a view of the gate; a pure function. */
final class HealthPages {
  private static final String WITHHELD = "reason withheld";

  private final Checks checks;
  private final boolean compat;
  private final boolean exposeReasons;

  /** Whatever the method, it is served as GET. */
  record Request(String path, @Nullable String query, boolean fromLoopback) {}

  HealthPages(boolean compat, boolean automaticReload, boolean exposeReasons) {
    this.compat = compat;
    this.checks = compat ? new KubeChecks(automaticReload) : new GateChecks();
    this.exposeReasons = exposeReasons;
  }

  List<HealthCheck> checks(HealthEndpoint endpoint, GateView view) {
    return checks.of(endpoint, view);
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

  Reply answer(Request request, GateView view) {
    for (var endpoint : HealthEndpoint.values()) {
      if (request.path().equals(endpoint.path())) {
        return marked(endpoint, view, rootPage(endpoint, request, view));
      }
      if (request.path().startsWith(endpoint.path() + "/")) {
        var name = request.path().substring(endpoint.path().length() + 1);
        return subPage(endpoint, name, view)
            .map(fault -> marked(endpoint, view, subReply(fault, request)))
            .orElse(Reply.NOT_FOUND);
      }
    }
    return Reply.NOT_FOUND;
  }

  private Reply marked(HealthEndpoint endpoint, GateView view, Reply reply) {
    return endpoint.isAboutPlugins() && !compat
        ? reply.withVerdict(view.judgement().overall().word())
        : reply;
  }

  private Reply rootPage(HealthEndpoint endpoint, Request request, GateView view) {
    var query = Query.parse(request.query());
    var all = checks.of(endpoint, view);
    var page = new RootPage(endpoint, all, query, compat);
    return !compat && query.first("format").equals("json")
        ? new JsonPage(maySeeReasons(request)).reply(endpoint, page, all, view)
        : page.reply(query.has("verbose"));
  }

  private boolean maySeeReasons(Request request) {
    return exposeReasons || request.fromLoopback();
  }

  /** What is wrong with the named part: nothing, or a text; no value if there is no such part. */
  private Optional<String> subPage(HealthEndpoint endpoint, String name, GateView view) {
    var all = checks.of(endpoint, view);
    var own = all.stream().filter(check -> check.name().equals(name)).findFirst();
    if (own.isPresent()) {
      return own.map(HealthCheck::fault);
    }
    if (compat || !endpoint.isAboutPlugins()) {
      return Optional.empty();
    }
    if (name.equals(Checks.GROUP)) {
      return Optional.of(
          Checks.aggregate(
              all.stream()
                  .filter(check -> check.group().equals(Checks.GROUP) && check.required())
                  .toList()));
    }
    return name.startsWith("kms/") ? named(name.substring("kms/".length()), all) : Optional.empty();
  }

  private static Optional<String> named(String segment, List<HealthCheck> all) {
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
      default -> Optional.of(Checks.aggregate(found));
    };
  }

  private Reply subReply(String fault, Request request) {
    if (fault.isEmpty()) {
      return Reply.text(200, "ok").withoutNosniff();
    }
    var shown = maySeeReasons(request) ? fault : WITHHELD;
    return Reply.text(500, "internal server error: " + shown + "\n");
  }
}
