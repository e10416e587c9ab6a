// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import io.krypton.operator.release.decide.Fingerprint;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a cluster has already accepted: each process would ask it for its API schema anew, which
 * costs more than the rest of an upgrade.
 */
final class ValidationCache {
  private static final int REMEMBERED = 10_000;

  private record Accepted(String cluster, Fingerprint fingerprint) {}

  private final Map<Accepted, Boolean> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Accepted, Boolean> eldest) {
          return size() > REMEMBERED;
        }
      };

  synchronized boolean contains(String cluster, Fingerprint fingerprint) {
    return entries.get(new Accepted(cluster, fingerprint)) != null;
  }

  synchronized void add(String cluster, Fingerprint fingerprint) {
    entries.put(new Accepted(cluster, fingerprint), true);
  }

  /** Another cluster may have the name next. */
  synchronized void forget(String cluster) {
    entries.keySet().removeIf(accepted -> accepted.cluster().equals(cluster));
  }
}
