// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The pages of liveness and readiness probes. */
public final class Probes {
  /** One named check; a value is what is wrong. */
  public record Check(String name, Supplier<Optional<String>> problem) {}

  private final List<Check> live;
  private final List<Check> ready;
  private final Supplier<List<String>> details;

  /**
   * Checks, in the order in which they are listed.
   *
   * @param details further lines for {@code /readyz?verbose} that never decide: engaged clusters
   *     come and go. Everybody may read them, so they hold no names
   */
  public Probes(List<Check> live, List<Check> ready, Supplier<List<String>> details) {
    this.live = List.copyOf(live);
    this.ready = List.copyOf(ready);
    this.details = details;
  }

  /** Paths and what they answer. */
  public Map<String, Page> pages() {
    return Map.of(
        "/livez", request -> respond("livez", live, request, List.of()),
        "/healthz", request -> respond("healthz", live, request, List.of()),
        "/readyz", request -> respond("readyz", ready, request, details.get()));
  }

  private static PageResponse respond(
      String name, List<Check> checks, PageRequest request, List<String> details) {
    var verbose = request.parameters().containsKey("verbose");
    var lines = new ArrayList<String>();
    var failed = false;
    for (var check : checks) {
      var problem = check.problem().get();
      failed |= problem.isPresent();
      lines.add(
          problem
              .map(text -> "[-]%s failed: %s".formatted(check.name(), text))
              .orElse("[+]%s ok".formatted(check.name())));
    }
    if (!failed && !verbose) {
      return PageResponse.ok("ok");
    }
    if (verbose) {
      lines.addAll(details);
    }
    lines.add("%s check %s".formatted(name, failed ? "failed" : "passed"));
    return PageResponse.text(failed ? 500 : 200, String.join("\n", lines) + "\n");
  }
}
