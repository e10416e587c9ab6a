package io.krypton.operator.rollout;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What runs have settled although a status cannot show it: an older definition prunes the fields.
 * Without this memory each look would find the same request again, and tell of it again.
 */
public final class SettledRequests {
  private final Map<String, Settled> settled = new ConcurrentHashMap<>();

  private record Settled(String uid, Asked.Handled handled) {}

  /**
   * What counts as handled: what the status says, else what a run of this process has settled.
   *
   * @param object unique among all objects of all clusters
   */
  public Asked.Handled handled(String object, String uid, Asked.Handled told) {
    var known = known(object, uid);
    return known == null
        ? told
        : new Asked.Handled(
            told.generation() == null ? known.generation() : told.generation(),
            first(told.requestedAt(), known.requestedAt()),
            first(told.forceAt(), known.forceAt()));
  }

  /**
   * Remembers what a run has settled, as far as the status does not say it.
   *
   * @param told what the status says after the run
   */
  public void settle(String object, String uid, Asked.Handled done, Asked.Handled told) {
    var known = known(object, uid);
    var forceAt = first(done.forceAt(), known == null ? null : known.forceAt());
    var isTold =
        told.generation() != null
            && Objects.equals(told.requestedAt(), done.requestedAt())
            && (forceAt == null || forceAt.equals(told.forceAt()));
    if (isTold) {
      settled.remove(object);
    } else {
      settled.put(
          object,
          new Settled(uid, new Asked.Handled(done.generation(), done.requestedAt(), forceAt)));
    }
  }

  /** The object is gone. */
  public void forget(String object) {
    settled.remove(object);
  }

  private Asked.@Nullable Handled known(String object, String uid) {
    var known = settled.get(object);
    return known == null || !known.uid().equals(uid) ? null : known.handled();
  }

  private static @Nullable String first(@Nullable String wanted, @Nullable String otherwise) {
    return wanted == null ? otherwise : wanted;
  }
}
