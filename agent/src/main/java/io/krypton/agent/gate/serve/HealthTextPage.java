// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.agent.gate.serve.HealthChecks.Check;
import io.krypton.agent.gate.serve.HealthChecks.HealthEndpoint;
import io.krypton.base.http.PageResponse;
import io.krypton.kms.rpc.GoQuote;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All checks of an endpoint on one page. It withholds every reason, so everybody may see it. */
final class HealthTextPage {
  private final HealthEndpoint endpoint;
  private final List<Check> checks;
  private final Exclusions exclusions;
  private final boolean compat;

  /** What a query leaves out, and which of its names fit nothing. */
  record Exclusions(Set<String> wanted, Set<String> unmatched) {
    static Exclusions of(List<Check> checks, List<String> names) {
      var unmatched = new TreeSet<>(names);
      for (var check : checks) {
        // Only one of the two is used up by a check; its own name comes first.
        if (names.contains(check.name())) {
          unmatched.remove(check.name());
        } else {
          unmatched.remove(check.group());
        }
      }
      if (names.contains("")) {
        unmatched.add("");
      }
      return new Exclusions(new HashSet<>(names), unmatched);
    }

    boolean byName(Check check) {
      return wanted.contains(check.name());
    }

    boolean byGroup(Check check) {
      return !check.group().isEmpty() && wanted.contains(check.group());
    }

    boolean covers(Check check) {
      return byName(check) || byGroup(check);
    }
  }

  HealthTextPage(
      HealthEndpoint endpoint, List<Check> checks, List<String> excluded, boolean compat) {
    this.endpoint = endpoint;
    this.checks = checks;
    this.exclusions = Exclusions.of(checks, excluded);
    this.compat = compat;
  }

  boolean passes() {
    return checks.stream().noneMatch(check -> check.fails() && !exclusions.covers(check));
  }

  boolean excludes(Check check) {
    return exclusions.covers(check);
  }

  PageResponse response(boolean verbose) {
    if (passes() && !verbose) {
      return PageResponse.text(200, "ok");
    }
    var lines = checks.stream().map(this::line).collect(Collectors.joining());
    var end = "%s check %s\n".formatted(endpoint.value(), passes() ? "passed" : "failed");
    return PageResponse.text(passes() ? 200 : 500, lines + warning() + end);
  }

  private String line(Check check) {
    return prefix(check) + "\n";
  }

  private String prefix(Check check) {
    if (exclusions.byName(check)) {
      return "[+]%s excluded: ok".formatted(check.name());
    }
    if (exclusions.byGroup(check)) {
      return "[+]%s excluded with %s: ok".formatted(check.name(), check.group());
    }
    if (check.fails()) {
      return "[-]%s failed: reason withheld".formatted(check.name());
    }
    return check.isOk() || compat
        ? "[+]%s ok".formatted(check.name())
        : "[+]%s not required: ok".formatted(check.name());
  }

  private String warning() {
    if (exclusions.unmatched().isEmpty()) {
      return "";
    }
    var names =
        exclusions.unmatched().stream()
            .map(name -> GoQuote.quote(name.getBytes(UTF_8)))
            .collect(Collectors.joining(","));
    return "warn: some health checks cannot be excluded: no matches for " + names + "\n";
  }
}
