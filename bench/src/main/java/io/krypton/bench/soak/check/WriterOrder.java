// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static java.util.Comparator.comparing;

import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Whether two operators ever worked on the same release at the same time, by the audit logs; pure.
 *
 * <p>Who writes the Lease holds it. A Helm run that began in an earlier term may end in a later
 * one, since the release is locked by it. But once the new holder has written to the release,
 * nothing may come from the old one, unless it has acquired the Lease again.
 */
public final class WriterOrder {
  private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");
  private static final int REFUSED = 300;

  /** Who acquired the Lease from somebody else, and when. */
  private final NavigableMap<Instant, String> terms = new TreeMap<>();

  /** By what was asked of home, in any order. */
  public WriterOrder(Collection<AuditRecord> ofHome, Set<String> users) {
    var renewals =
        ofHome.stream()
            .filter(it -> it.resource().equals("leases") && it.name().equals("krypton-operator"))
            .filter(it -> isWrite(it) && users.contains(it.user()))
            .sorted(comparing(AuditRecord::at))
            .toList();
    for (var renewal : renewals) {
      if (terms.isEmpty() || !terms.lastEntry().getValue().equals(renewal.user())) {
        terms.put(renewal.at(), renewal.user());
      }
    }
  }

  /** How often the Lease went from one operator to another. */
  public int changes() {
    return Math.max(0, terms.size() - 1);
  }

  /** All that changed something, and was not refused. */
  public static boolean isWrite(AuditRecord request) {
    return WRITES.contains(request.verb()) && request.code() < REFUSED;
  }

  public static Predicate<AuditRecord> byHelm() {
    return request -> request.userAgent().startsWith("Helm/");
  }

  /** By what was asked of one edge, in the order of its log. */
  public List<String> violations(String edge, Collection<AuditRecord> requests) {
    var violations = new ArrayList<String>();
    Map<String, AuditRecord> last = new HashMap<>();
    requests.stream()
        .filter(byHelm().and(WriterOrder::isWrite))
        .filter(it -> !it.namespace().isEmpty())
        .sorted(comparing(AuditRecord::at))
        .forEach(
            write -> {
              var before = last.put(write.namespace(), write);
              if (before != null && isTooLate(before, write)) {
                violations.add(
                    "%s on %s: %s by %s at %s, after %s by %s at %s"
                        .formatted(
                            write.namespace(),
                            edge,
                            what(write),
                            write.user(),
                            write.at(),
                            what(before),
                            before.user(),
                            before.at()));
              }
            });
    return violations;
  }

  /** Whether the holder of the Lease had already written in this term. */
  private boolean isTooLate(AuditRecord before, AuditRecord write) {
    var term = terms.floorEntry(write.at());
    return term != null
        && !term.getValue().equals(write.user())
        && term.getValue().equals(before.user())
        && !before.at().isBefore(term.getKey());
  }

  private static String what(AuditRecord write) {
    return "%s of %s %s".formatted(write.verb(), write.resource(), write.name());
  }
}
