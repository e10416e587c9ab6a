// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.serve.HealthChecks.Check;
import io.krypton.agent.gate.serve.HealthChecks.GateChecks;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.serve.HealthChecks.HealthEndpoint;
import io.krypton.agent.gate.serve.HealthChecks.KubeChecks;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import io.krypton.base.text.Percent;
import java.util.List;
import java.util.Optional;

/** Responds to a path from a view of the gate; a pure function. */
final class HealthPages {
  /** The header that has the overall verdict. */
  static final String VERDICT = "X-KMS-Gate-Verdict";

  private static final String WITHHELD = "reason withheld";

  private final HealthChecks healthChecks;
  private final boolean compat;
  private final boolean exposeReasons;

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

  PageResponse respond(PageRequest request, GateView view) {
    for (var endpoint : HealthEndpoint.values()) {
      if (request.path().equals(endpoint.path())) {
        return withVerdictHeader(endpoint, view, rootPage(endpoint, request, view));
      }
      if (request.path().startsWith(endpoint.path() + "/")) {
        var name = request.path().substring(endpoint.path().length() + 1);
        return checkError(endpoint, name, view)
            .map(fault -> withVerdictHeader(endpoint, view, checkResponse(fault, request)))
            .orElse(PageResponse.NOT_FOUND);
      }
    }
    return PageResponse.NOT_FOUND;
  }

  private PageResponse withVerdictHeader(
      HealthEndpoint endpoint, GateView view, PageResponse response) {
    return endpoint.includesPlugins() && !compat
        ? response.with(VERDICT, view.status().overall().value())
        : response;
  }

  private PageResponse rootPage(HealthEndpoint endpoint, PageRequest request, GateView view) {
    var parameters = request.parameters();
    var all = healthChecks.of(endpoint, view);
    var page =
        new HealthTextPage(endpoint, all, parameters.getOrDefault("exclude", List.of()), compat);
    return !compat && parameters.getOrDefault("format", List.of("")).getFirst().equals("json")
        ? new HealthJsonPage(maySeeReasons(request)).response(endpoint, page, all, view)
        : page.response(parameters.containsKey("verbose"));
  }

  private boolean maySeeReasons(PageRequest request) {
    return exposeReasons || request.isFromLoopback();
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
    var name = Percent.decode(segment);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    var found =
        all.stream()
            .filter(
                check ->
                    check.provider() != null
                        && check.provider().provider().name().equals(name.get()))
            .toList();
    return switch (found.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(found.getFirst().fault());
      default -> Optional.of(HealthChecks.aggregate(found));
    };
  }

  private PageResponse checkResponse(String fault, PageRequest request) {
    if (fault.isEmpty()) {
      return PageResponse.text(200, "ok").withoutNosniff();
    }
    var shown = maySeeReasons(request) ? fault : WITHHELD;
    return PageResponse.text(500, "internal server error: " + shown + "\n");
  }
}
