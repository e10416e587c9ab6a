package io.krypton.operator.kmshealth;

/** Hears what the aggregator does, for metrics. Must be quick. */
public interface KmsHealthListener {
  /** A write: {@code statement}, {@code sum} or {@code withdrawal}. */
  void statusWritten(String cluster, String target, String kind);

  void orphanRemoved(String cluster, String target);

  /** A report of a node cannot be read, which was not so before. */
  void malformedReport(String cluster, String target);
}
