// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.convergence;

import static java.util.stream.Collectors.joining;

import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which plugin configuration encrypts, and who says so. */
public sealed interface WriteKey {
  /** The best guess where it is not known; null if nothing is known. */
  @Nullable KeyId key();

  /** The spec says so, or the reporters of all nodes that are heard. */
  record Named(KeyId key) implements WriteKey {}

  /** Nobody says so: a new key is deployed as reader first, so the highest need not be it. */
  record Assumed(@Nullable KeyId key) implements WriteKey {}

  /**
   * The API servers encrypt with different ones.
   *
   * @param who which nodes with which
   */
  record Differing(@Nullable KeyId key, String who) implements WriteKey {}

  /**
   * Finds it.
   *
   * @param spec what the owner says; null if nothing
   * @param reports of the expected nodes that are heard
   * @param keys all that are known
   */
  static WriteKey of(@Nullable KeyId spec, Collection<NodeReport> reports, SortedSet<KeyId> keys) {
    if (spec != null) {
      return new Named(spec);
    }
    var writers = new TreeMap<String, SortedSet<String>>();
    var named = new TreeSet<KeyId>();
    reports.stream()
        .filter(NodeReport::hasRoles)
        .forEach(
            report -> {
              var own = report.writeKeys();
              named.addAll(own);
              writers.computeIfAbsent(describeKeys(own), it -> new TreeSet<>()).add(report.node());
            });
    if (writers.isEmpty()) {
      return new Assumed(keys.isEmpty() ? null : keys.last());
    }
    if (named.isEmpty()) {
      return new Assumed(null);
    }
    if (writers.size() > 1 || named.size() > 1) {
      return new Differing(named.last(), describeWriters(writers));
    }
    var allSay = reports.stream().allMatch(NodeReport::hasRoles);
    return allSay ? new Named(named.first()) : new Assumed(named.first());
  }

  private static String describeKeys(SortedSet<KeyId> keys) {
    return keys.isEmpty() ? "none" : keys.stream().map(KeyId::toString).collect(joining(" and "));
  }

  private static String describeWriters(Map<String, SortedSet<String>> writers) {
    return writers.entrySet().stream()
        .map(writer -> writer.getKey() + " on " + NodeNames.of(writer.getValue()))
        .collect(joining("; "));
  }

  /** Names of nodes in a message; of many only the first. */
  final class NodeNames {
    private static final int MOST = 10;

    private NodeNames() {}

    static String of(Collection<String> nodes) {
      var all = List.copyOf(nodes);
      var shown = String.join(", ", all.subList(0, Math.min(MOST, all.size())));
      return all.size() <= MOST ? shown : "%s and %d more".formatted(shown, all.size() - MOST);
    }
  }
}
