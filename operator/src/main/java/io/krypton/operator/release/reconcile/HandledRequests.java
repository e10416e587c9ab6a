// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.krypton.operator.release.RolloutResult;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What runs have settled although a status cannot show it: an older definition prunes the fields.
 * Without it each reconcile would find the same request again, and report it again.
 */
public final class HandledRequests {
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(String uid, ReconcileRequest.Handled handled) {}

  /**
   * What counts as handled: what the status says, else what a run of this process has settled.
   *
   * @param object unique among all objects of all clusters
   */
  public ReconcileRequest.Handled handled(
      String object, String uid, ReconcileRequest.Handled inStatus) {
    var known = known(object, uid);
    return known == null
        ? inStatus
        : new ReconcileRequest.Handled(
            inStatus.generation() == null ? known.generation() : inStatus.generation(),
            first(inStatus.requestedAt(), known.requestedAt()),
            first(inStatus.forceAt(), known.forceAt()));
  }

  /**
   * Remembers what a run has settled, as far as the status does not say it.
   *
   * @param inStatus what the status says after the run
   */
  public void markHandled(
      String object, String uid, ReconcileRequest.Handled done, ReconcileRequest.Handled inStatus) {
    var known = known(object, uid);
    var forceAt = first(done.forceAt(), known == null ? null : known.forceAt());
    var isInStatus =
        inStatus.generation() != null
            && Objects.equals(inStatus.requestedAt(), done.requestedAt())
            && (forceAt == null || forceAt.equals(inStatus.forceAt()));
    if (isInStatus) {
      entries.remove(object);
    } else {
      entries.put(
          object,
          new Entry(
              uid, new ReconcileRequest.Handled(done.generation(), done.requestedAt(), forceAt)));
    }
  }

  /** The object is gone. */
  public void forget(String object) {
    entries.remove(object);
  }

  private ReconcileRequest.@Nullable Handled known(String object, String uid) {
    var known = entries.get(object);
    return known == null || !known.uid().equals(uid) ? null : known.handled();
  }

  private static @Nullable String first(@Nullable String wanted, @Nullable String otherwise) {
    return wanted == null ? otherwise : wanted;
  }

  /**
   * Which forced runs are done although the cache does not show it yet: the next run may begin
   * before the watch brings back the status that this one has written.
   */
  public static final class ForcedRuns {
    private final Map<String, String> done = new ConcurrentHashMap<>();

    /**
     * Whether Helm has to run although nothing changed.
     *
     * @param object unique among all objects of all clusters
     */
    public boolean isPending(String object, ReconcileRequest reconcileRequest) {
      if (!reconcileRequest.forced()) {
        done.remove(object); // The status says it now.
        return false;
      }
      return reconcileRequest.forceAt() != null
          && !reconcileRequest.forceAt().equals(done.get(object));
    }

    /** Remembers what a run has settled, before its status is written. */
    public void markHandled(
        String object, ReconcileRequest reconcileRequest, RolloutResult rolloutResult) {
      if (reconcileRequest.forced()
          && reconcileRequest.forceAt() != null
          && rolloutResult.helmRan()) {
        done.put(object, reconcileRequest.forceAt());
      }
    }

    /** The object is gone. */
    public void forget(String object) {
      done.remove(object);
    }
  }
}
