package io.krypton.cli.fleet;

import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.RolloutObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** How many objects are in which phase. */
record PhaseCounts(int ready, int pending, int error) {
  static final PhaseCounts NONE = new PhaseCounts(0, 0, 0);

  static PhaseCounts of(Collection<Tenant> tenants) {
    return ofObjects(tenants.stream().map(RolloutObject::of).toList());
  }

  static PhaseCounts ofObjects(Collection<RolloutObject> objects) {
    var counts = NONE;
    for (var object : objects) {
      counts =
          counts.plus(
              switch (object.phaseWord()) {
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
  String words() {
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
