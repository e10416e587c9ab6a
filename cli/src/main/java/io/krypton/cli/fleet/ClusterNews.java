package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Event;
import io.krypton.api.EventReason;
import io.krypton.cli.view.EventTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator last said about a cluster, by the events on its Secret. Events live for an hour
 * by default, so silence means nothing.
 *
 * @param state the word for it
 */
record ClusterNews(String state, String message, Instant at) {

  /** The newest word on each Secret, by {@code <namespace>/<name>}. */
  static Map<String, ClusterNews> newest(List<Event> events) {
    var newest = new HashMap<String, ClusterNews>();
    events.stream()
        .sorted(Comparator.comparing(EventTime::of).thenComparing(ClusterNews::isGood))
        .forEach(
            event ->
                stateOf(event.getReason())
                    .ifPresent(
                        state ->
                            newest.put(
                                secretOf(event),
                                new ClusterNews(
                                    state,
                                    event.getMessage() == null ? "" : event.getMessage(),
                                    EventTime.of(event)))));
    return newest;
  }

  /** Of two in the same second the bad one is older: it is what was overcome. */
  private static boolean isGood(Event event) {
    return stateOf(event.getReason()).filter("Engaged"::equals).isPresent();
  }

  private static Optional<String> stateOf(String reason) {
    return EventReason.of(reason).flatMap(ClusterNews::stateOf);
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
