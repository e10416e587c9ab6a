package io.krypton.operator.rollout;

import java.util.List;

/** Hears what metrics count about releases, whoever owns them. */
public interface RolloutListener {
  RolloutListener NONE =
      new RolloutListener() {
        @Override
        public void driftDetected(String cluster, List<String> kinds) {}

        @Override
        public void repaired(String cluster, boolean success) {}

        @Override
        public void unlocked(String cluster, Unlock method) {}
      };

  /** How a lock that nobody held any more was removed. */
  enum Unlock {
    ROLLBACK,
    UNINSTALL
  }

  /** Objects of a release were found missing or changed that were not known to be so before. */
  void driftDetected(String cluster, List<String> kinds);

  /** A repair has ended. */
  void repaired(String cluster, boolean success);

  void unlocked(String cluster, Unlock method);
}
