// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

/** Notified of what the aggregator does, for metrics. Must not block. */
public interface KmsHealthListener {
  /** A write: {@code statement}, {@code sum} or {@code withdrawal}. */
  void statusWritten(String cluster, String target, String kind);

  void orphanRemoved(String cluster, String target);

  /** The report of a node has become unreadable. */
  void malformedReport(String cluster, String target);
}
