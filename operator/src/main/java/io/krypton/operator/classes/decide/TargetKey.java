// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.operator.namespace.Owner.Kind;
import java.util.Comparator;
import java.util.Locale;

/** Tells one release of a class from all others: an object, and the cluster its release is on. */
public record TargetKey(ClusterName cluster, Kind kind, String namespace, String name)
    implements Comparable<TargetKey> {
  private static final Comparator<TargetKey> ORDER =
      Comparator.comparing(TargetKey::cluster)
          .thenComparing(TargetKey::kind)
          .thenComparing(TargetKey::namespace)
          .thenComparing(TargetKey::name);

  /** As the command line takes it: {@code tenant/team-a/acme}. */
  public String object() {
    return kind.toString().toLowerCase(Locale.ROOT) + "/" + namespace + "/" + name;
  }

  /** What decides on its share of a wave: {@code edge01/team-a/acme}. */
  String path() {
    return cluster + "/" + namespace + "/" + name;
  }

  @Override
  public int compareTo(TargetKey other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return object() + " on " + cluster;
  }
}
