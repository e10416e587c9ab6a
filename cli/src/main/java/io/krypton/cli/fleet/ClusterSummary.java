// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Event;
import io.krypton.api.event.EventReason;
import io.krypton.cli.view.Age.EventTime;
import io.krypton.cli.view.RolloutObject;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * One cluster of the fleet: what the operator said and what the cluster says, put together; pure.
 *
 * @param version empty if it did not answer
 * @param since creation of its Secret
 */
record ClusterSummary(
    String name,
    String state,
    String version,
    @Nullable List<RolloutObject> tenants,
    KmsSummary kms,
    String message,
    @Nullable Instant since) {

  static ClusterSummary of(
      String name, @Nullable Instant since, @Nullable ReportedState news, FleetProbeResult live) {
    return switch (live) {
      case FleetProbeResult.Rejected(var reason) ->
          new ClusterSummary(name, "Rejected", "", null, KmsSummary.NONE, reason, since);
      case FleetProbeResult.Unreachable(var message) ->
          new ClusterSummary(name, "Unreachable", "", null, KmsSummary.NONE, message, since);
      case FleetProbeResult.NotProbed() ->
          new ClusterSummary(
              name,
              news == null ? "Unknown" : news.state(),
              "",
              null,
              KmsSummary.NONE,
              news == null || isEngaged(news) ? "" : news.message(),
              since);
      case FleetProbeResult.Reachable reachable ->
          new ClusterSummary(
              name,
              // Events fade away: without one, that it answers is all there is to say.
              news == null ? "Reachable" : news.state(),
              reachable.version(),
              reachable.tenants(),
              KmsSummary.of(reachable.kms()),
              news == null || isEngaged(news)
                  ? reachable.unreadable()
                  : "the operator said: %s; it answers from here".formatted(news.message()),
              since);
    };
  }

  private static boolean isEngaged(ReportedState news) {
    return news.state().equals("Engaged");
  }

  @Nullable PhaseCounts phases() {
    return tenants == null ? null : PhaseCounts.of(tenants);
  }

  Map<String, Object> document() {
    var document = new LinkedHashMap<String, Object>();
    document.put("name", name);
    document.put("state", state);
    if (!version.isEmpty()) {
      document.put("serverVersion", version);
    }
    if (!message.isEmpty()) {
      document.put("message", message);
    }
    var phases = phases();
    if (phases != null) {
      document.put("tenants", phases.document());
    }
    if (!kms.equals(KmsSummary.NONE)) {
      document.put("kms", kms.document());
    }
    return document;
  }

  /**
   * What the operator last said about a cluster, by the events on its Secret. Events live for an
   * hour by default, so silence means nothing.
   *
   * @param state the word for it
   */
  record ReportedState(String state, String message, Instant at) {

    /** The newest word on each Secret, by {@code <namespace>/<name>}. */
    static Map<String, ReportedState> latestBySecret(List<Event> events) {
      var newest = new HashMap<String, ReportedState>();
      events.stream()
          .sorted(Comparator.comparing(EventTime::of).thenComparing(ReportedState::isEngaged))
          .forEach(
              event ->
                  stateOf(event.getReason())
                      .ifPresent(
                          state ->
                              newest.put(
                                  secretOf(event),
                                  new ReportedState(
                                      state,
                                      event.getMessage() == null ? "" : event.getMessage(),
                                      EventTime.of(event)))));
      return newest;
    }

    /** Of two in the same second the bad one is older: it is what was overcome. */
    private static boolean isEngaged(Event event) {
      return stateOf(event.getReason()).filter("Engaged"::equals).isPresent();
    }

    private static Optional<String> stateOf(String reason) {
      return EventReason.of(reason).flatMap(ReportedState::stateOf);
    }

    private static Optional<String> stateOf(EventReason reason) {
      return switch (reason) {
        case CLUSTER_ENGAGED, CLUSTER_RECOVERED -> Optional.of("Engaged");
        case CLUSTER_UNREACHABLE -> Optional.of("Unreachable");
        case CLUSTER_REJECTED -> Optional.of("Rejected");
        case CLUSTER_DISENGAGED -> Optional.of("Disengaged");
        case CRD_INCOMPATIBLE, CRD_ENSURE_FAILED -> Optional.of("NotPrepared");
        default -> Optional.empty(); // It tells nothing about the state.
      };
    }

    private static String secretOf(Event event) {
      var object = event.getInvolvedObject();
      return object.getNamespace() + "/" + object.getName();
    }
  }

  /** How many objects are in which phase. */
  record PhaseCounts(int ready, int pending, int error) {
    static final PhaseCounts NONE = new PhaseCounts(0, 0, 0);

    static PhaseCounts of(Collection<RolloutObject> objects) {
      var counts = NONE;
      for (var object : objects) {
        counts =
            counts.plus(
                switch (object.phaseName()) {
                  case "Ready" -> new PhaseCounts(1, 0, 0);
                  case "Error" -> new PhaseCounts(0, 0, 1);
                  default -> new PhaseCounts(0, 1, 0);
                });
      }
      return counts;
    }

    PhaseCounts plus(PhaseCounts other) {
      return new PhaseCounts(ready + other.ready, pending + other.pending, error + other.error);
    }

    int total() {
      return ready + pending + error;
    }

    Map<String, Integer> document() {
      var document = new LinkedHashMap<String, Integer>();
      document.put("ready", ready);
      document.put("pending", pending);
      document.put("error", error);
      return document;
    }

    /** {@code 12: 10 Ready, 1 Pending, 1 Error}. */
    String summary() {
      if (total() == 0) {
        return "none";
      }
      var words = new StringJoiner(", ", total() + ": ", "");
      if (ready > 0) {
        words.add(ready + " Ready");
      }
      if (pending > 0) {
        words.add(pending + " Pending");
      }
      if (error > 0) {
        words.add(error + " Error");
      }
      return words.toString();
    }
  }
}
