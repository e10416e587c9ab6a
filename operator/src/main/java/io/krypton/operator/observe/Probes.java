package io.krypton.operator.observe;

import io.krypton.operator.observe.HttpPageServer.Page;
import io.krypton.operator.observe.HttpPageServer.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The kubelet's questions: is the process alive, and may others rely on it. */
public final class Probes {
  /** One named check; an answer is what is wrong. */
  public record Check(String name, Supplier<Optional<String>> problem) {}

  private final List<Check> live;
  private final List<Check> ready;
  private final Supplier<List<String>> details;

  /**
   * What is asked, in this order.
   *
   * @param details further lines for {@code /readyz?verbose} that never decide: engaged clusters
   *     come and go. Everybody may read them, so they name nobody
   */
  public Probes(List<Check> live, List<Check> ready, Supplier<List<String>> details) {
    this.live = List.copyOf(live);
    this.ready = List.copyOf(ready);
    this.details = details;
  }

  /** Paths and what they answer. */
  public Map<String, Page> pages() {
    Page liveness = query -> respond("livez", live, query, List.of());
    return Map.of(
        "/livez", liveness,
        "/healthz", query -> respond("healthz", live, query, List.of()),
        "/readyz", query -> respond("readyz", ready, query, details.get()));
  }

  private static Response respond(
      String name, List<Check> checks, String query, List<String> details) {
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
    if (!failed && !asksForDetails(query)) {
      return Response.text(200, "ok");
    }
    if (asksForDetails(query)) {
      lines.addAll(details);
    }
    lines.add("%s check %s".formatted(name, failed ? "failed" : "passed"));
    return Response.text(failed ? 500 : 200, String.join("\n", lines) + "\n");
  }

  private static boolean asksForDetails(String query) {
    return query.equals("verbose") || query.startsWith("verbose=") || query.startsWith("verbose&");
  }
}
