// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import io.krypton.base.crypto.Sha256;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names under which reporters and the aggregator meet: condition types, field managers, Leases.
 * A name that would be too long ends with the hash of the node's name instead.
 */
public final class ReportNames {
  /** Field manager of the aggregator. */
  public static final String AGGREGATOR = "krypton-kms-aggregator";

  /** Field manager of the writer of ClusterOperators. */
  public static final String STATUS_SYNCER = "krypton-status-syncer";

  /** What the condition types of all reporters begin with. */
  public static final String CONDITION_PREFIX = "KMSHealthReporter_";

  /** The label of a reporter's Lease that names its target. */
  public static final String TARGET_LABEL = "mesh.openkcm.io/kms-target";

  /** The API server's limits. */
  private static final int MAX_FIELD_MANAGER = 128;

  private static final int MAX_OBJECT_NAME = 253;
  private static final String FIELD_MANAGER_PREFIX = "kms-health-reporter-";
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private ReportNames() {}

  public static String conditionType(String node) {
    return CONDITION_PREFIX + node;
  }

  /** The node whose reporter writes a condition of this type; empty if no reporter does. */
  public static Optional<String> nodeOfCondition(String type) {
    return type.startsWith(CONDITION_PREFIX)
        ? Optional.of(type.substring(CONDITION_PREFIX.length()))
        : Optional.empty();
  }

  /** The field manager of a node's reporter. */
  public static String fieldManager(String node) {
    return shortened(FIELD_MANAGER_PREFIX, node, MAX_FIELD_MANAGER);
  }

  /** The name of a reporter's Lease. */
  public static String lease(String target, String node) {
    return shortened(leasePrefix(target), node, MAX_OBJECT_NAME);
  }

  /**
   * The node whose reporter would choose this name for its Lease.
   *
   * @param holder the holder identity, {@code <node>_<process>}; tells the node if the name has
   *     only its hash
   */
  public static Optional<String> nodeOfLease(String target, String lease, String holder) {
    var prefix = leasePrefix(target);
    if (!lease.startsWith(prefix)) {
      return Optional.empty();
    }
    var rest = lease.substring(prefix.length());
    if (!HASH.matcher(rest).matches()) {
      return Optional.of(rest);
    }
    int end = holder.lastIndexOf('_');
    return end < 0
        ? Optional.empty()
        : Optional.of(holder.substring(0, end)).filter(node -> lease(target, node).equals(lease));
  }

  private static String leasePrefix(String target) {
    return "kms-" + target + "-";
  }

  private static String shortened(String prefix, String node, int limit) {
    var plain = prefix + node;
    return plain.length() <= limit ? plain : prefix + Sha256.hex(node);
  }
}
