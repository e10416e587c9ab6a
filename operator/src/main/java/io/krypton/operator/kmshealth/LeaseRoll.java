package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.krypton.api.Labels;
import io.krypton.operator.kmshealth.evidence.Heartbeat;
import io.krypton.operator.kmshealth.publish.FieldManagers;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which node each Lease of a target belongs to. Pure. */
final class LeaseRoll {
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final Map<String, Lease> leases;

  private LeaseRoll(Map<String, Lease> leases) {
    this.leases = leases;
  }

  /**
   * Reads the Leases of one target.
   *
   * @param nodes that are known otherwise; needed for names that are too long for a Lease
   */
  static LeaseRoll of(String target, List<Lease> all, Collection<String> nodes) {
    var names = new HashMap<String, String>();
    nodes.forEach(node -> names.put(FieldManagers.lease(target, node), node));
    var found = new HashMap<String, Lease>();
    for (var lease : all) {
      if (target.equals(label(lease))) {
        var name = lease.getMetadata().getName();
        Optional.ofNullable(names.get(name))
            .or(() -> nodeOf(target, name, lease))
            .ifPresent(node -> found.put(node, lease));
      }
    }
    return new LeaseRoll(found);
  }

  private static String label(Lease lease) {
    var labels = lease.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(Labels.KMS_TARGET, "");
  }

  /** A Lease whose name is not what a reporter of that node would choose is nobody's. */
  private static Optional<String> nodeOf(String target, String name, Lease lease) {
    var prefix = "kms-" + target + "-";
    if (!name.startsWith(prefix)) {
      return Optional.empty();
    }
    var rest = name.substring(prefix.length());
    if (!HASH.matcher(rest).matches()) {
      return Optional.of(rest);
    }
    var holder = holder(lease);
    var end = holder.lastIndexOf('_');
    return end < 0
        ? Optional.empty()
        : Optional.of(holder.substring(0, end))
            .filter(node -> FieldManagers.lease(target, node).equals(name));
  }

  Map<String, Heartbeat> heartbeats() {
    var heartbeats = new HashMap<String, Heartbeat>();
    leases.forEach((node, lease) -> heartbeats.put(node, heartbeat(lease)));
    return heartbeats;
  }

  Optional<Lease> of(String node) {
    return Optional.ofNullable(leases.get(node));
  }

  private static Heartbeat heartbeat(Lease lease) {
    var spec = Optional.ofNullable(lease.getSpec());
    return new Heartbeat(
        holder(lease),
        spec.map(it -> it.getRenewTime()).map(ZonedDateTime::toInstant).orElse(null),
        spec.map(it -> it.getLeaseDurationSeconds())
            .filter(seconds -> seconds > 0)
            .map(Duration::ofSeconds)
            .orElse(null));
  }

  private static String holder(Lease lease) {
    return lease.getSpec() == null
        ? ""
        : Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
  }
}
