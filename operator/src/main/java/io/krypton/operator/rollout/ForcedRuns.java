package io.krypton.operator.rollout;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which forced runs are done although the cache does not show it yet: the next run may begin before
 * the watch brings back the status that this one has written.
 */
public final class ForcedRuns {
  private final Map<String, String> done = new ConcurrentHashMap<>();

  /**
   * Whether Helm has to run although nothing changed.
   *
   * @param object unique among all objects of all clusters
   */
  public boolean isOwed(String object, Asked asked) {
    if (!asked.forced()) {
      done.remove(object); // The status says it now.
      return false;
    }
    return asked.forceAt() != null && !asked.forceAt().equals(done.get(object));
  }

  /** Remembers what a run has settled, before its status is written. */
  public void settled(String object, Asked asked, Situation situation) {
    if (asked.forced() && asked.forceAt() != null && situation.hasRunHelm()) {
      done.put(object, asked.forceAt());
    }
  }

  /** The object is gone. */
  public void forget(String object) {
    done.remove(object);
  }
}
