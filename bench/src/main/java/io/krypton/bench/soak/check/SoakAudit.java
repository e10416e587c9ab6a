// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static io.krypton.bench.soak.check.WriterOrder.byHelm;

import io.krypton.bench.soak.fleet.SoakFleet;
import io.krypton.bench.soak.plan.SoakStep.FaultTarget;
import io.krypton.sandbox.audit.ApiAudit.Mark;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the API servers say that the operators did.
 *
 * @param overlaps where two operators worked on the same release at the same time
 * @param counts how often something happened, by what it is called
 */
public record SoakAudit(List<String> overlaps, Map<String, Long> counts) {
  private static final Mark BEGINNING = new Mark(0);
  private static final String RELEASE = "sh.helm.release.v1.";

  public SoakAudit {
    overlaps = List.copyOf(overlaps);
    counts = new LinkedHashMap<>(counts);
  }

  /** From the beginning until now; all API servers must answer. */
  public static SoakAudit read(SoakFleet fleet) {
    var ofHome = byOperators(fleet, FaultTarget.HOME, BEGINNING);
    var order = new WriterOrder(ofHome.records(), users());
    var overlaps = new ArrayList<String>();
    var all = new ArrayList<>(ofHome.records());
    for (var edge : fleet.edges()) {
      var requests = byOperators(fleet, edge, BEGINNING).records();
      overlaps.addAll(order.violations(edge, requests));
      all.addAll(requests);
    }
    var counts = new LinkedHashMap<String, Long>();
    var revisions = new AuditTrail(all).only(SoakAudit::isNewRevision);
    var installs = revisions.only(it -> it.name().endsWith(".v1")).size();
    counts.put("first revisions of releases (installs)", (long) installs);
    counts.put(
        "further revisions (upgrades, repairs, rollbacks)", (long) revisions.size() - installs);
    counts.put("changes of the leader", (long) order.changes());
    counts.put("API requests of the operators and Helm", (long) all.size());
    return new SoakAudit(overlaps, counts);
  }

  /** Everything that operators and Helm write on edges in this time, which is waited for. */
  public static List<String> writesWithin(Duration length, SoakFleet fleet)
      throws InterruptedException {
    var marks =
        fleet.edges().stream()
            .collect(Collectors.toMap(it -> it, it -> fleet.plane(it).audit().mark()));
    Thread.sleep(length);
    return marks.entrySet().stream()
        .flatMap(it -> byOperators(fleet, it.getKey(), it.getValue()).records().stream())
        .filter(byHelm().or(WriterOrder::isWrite))
        .filter(it -> !it.resource().equals("leases"))
        .map(
            it ->
                "%s %s %s/%s by %s"
                    .formatted(it.verb(), it.resource(), it.namespace(), it.name(), it.user()))
        .toList();
  }

  private static Set<String> users() {
    return SoakFleet.REPLICAS.stream().map(SoakFleet::user).collect(Collectors.toSet());
  }

  private static AuditTrail byOperators(SoakFleet fleet, String place, Mark since) {
    var users = users();
    return fleet.plane(place).audit().since(since).only(it -> users.contains(it.user()));
  }

  private static boolean isNewRevision(AuditRecord request) {
    return request.verb().equals("create")
        && request.name().startsWith(RELEASE)
        && WriterOrder.isWrite(request);
  }
}
