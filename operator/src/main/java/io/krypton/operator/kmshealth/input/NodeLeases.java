// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.krypton.api.Labels;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.operator.kmshealth.input.LeaseWatch.LeaseSnapshot;
import io.krypton.operator.kmshealth.input.NodeEvidence.Heartbeat;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Which Lease of a target belongs to which node, and why a node has none. Pure. */
public final class NodeLeases {
  private final Map<String, Lease> leases;
  private final Map<String, String> missingReasons;

  private NodeLeases(Map<String, Lease> leases, Map<String, String> notes) {
    this.leases = leases;
    this.missingReasons = notes;
  }

  /**
   * Reads the Leases of one target. Of a node that names its Lease that one counts.
   *
   * @param nodes that are known otherwise; needed for names that are too long for a Lease
   */
  public static NodeLeases of(
      String target,
      LeaseSnapshot view,
      Map<String, NodeReport> reports,
      Collection<String> nodes) {
    var names = new HashMap<String, String>();
    reports.keySet().forEach(node -> names.put(ReportNames.lease(target, node), node));
    nodes.forEach(node -> names.put(ReportNames.lease(target, node), node));
    var found = byNode(target, view.inNamespace(view.configured()), names);
    var notes = new HashMap<String, String>();
    reports.forEach(
        (node, report) -> {
          var named = report.lease();
          named
              .filter(lease -> lease.name().equals(ReportNames.lease(target, node)))
              .map(lease -> byNode(target, view.inNamespace(lease.namespace()), names).get(node))
              .ifPresent(lease -> found.put(node, lease));
          if (!found.containsKey(node)) {
            notes.put(node, missingReason(target, node, named, view));
          }
        });
    return new NodeLeases(found, notes);
  }

  /** Stable text, without times: it is part of a condition. */
  private static String missingReason(
      String target, String node, Optional<LeaseName> named, LeaseSnapshot view) {
    var watched =
        "no Lease in namespace %s, watched by --kms-lease-namespace".formatted(view.configured());
    if (named.isEmpty() || named.get().namespace().equals(view.configured())) {
      return watched;
    }
    var lease = named.get();
    String why;
    if (!lease.name().equals(ReportNames.lease(target, node))) {
      why = "is not the Lease of this node";
    } else if (!view.leases().containsKey(lease.namespace())) {
      why = "is in one namespace too many to watch";
    } else {
      why = view.unreadable().getOrDefault(lease.namespace(), "is not there");
    }
    return "%s; the reporter names %s, which %s".formatted(watched, lease, why);
  }

  private static Map<String, Lease> byNode(
      String target, List<Lease> all, Map<String, String> names) {
    var found = new HashMap<String, Lease>();
    for (var lease : all) {
      if (target.equals(label(lease))) {
        var name = lease.getMetadata().getName();
        Optional.ofNullable(names.get(name))
            .or(() -> ReportNames.nodeOfLease(target, name, holder(lease)))
            .ifPresent(node -> found.put(node, lease));
      }
    }
    return found;
  }

  /** Why a node that reports has no Lease. */
  public Map<String, String> missingReasons() {
    return missingReasons;
  }

  private static String label(Lease lease) {
    var labels = lease.getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault(Labels.KMS_TARGET, "");
  }

  public Map<String, Heartbeat> heartbeats() {
    var heartbeats = new HashMap<String, Heartbeat>();
    leases.forEach((node, lease) -> heartbeats.put(node, heartbeat(lease)));
    return heartbeats;
  }

  public Optional<Lease> of(String node) {
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
