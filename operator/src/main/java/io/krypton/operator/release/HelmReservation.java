package io.krypton.operator.release;

import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;

/**
 * The turn of one run at Helm. It is taken before the first thing that is read or told for a Helm
 * run, so that whoever finds none has cost nothing, and comes again when it is called.
 */
final class HelmReservation implements AutoCloseable {
  private final HelmClient helm;
  private final ReleaseKey release;
  private final Runnable onAvailable;
  private boolean refused;

  /**
   * Not taken yet.
   *
   * @param call run when there is a turn after it was refused
   */
  HelmReservation(HelmClient helm, ReleaseKey release, Runnable call) {
    this.helm = helm;
    this.release = release;
    this.onAvailable = call;
  }

  /** Whether it is its turn; never waits. */
  boolean tryReserve() {
    refused = !helm.reserve(release, onAvailable);
    return !refused;
  }

  /**
   * Whether it has the server for itself as well; never waits. After a refusal its slot is gone.
   */
  boolean tryReserveExclusive(String server) {
    refused = !helm.reserveExclusive(release, server, onAvailable);
    return !refused;
  }

  /** Helm is not needed any more; after a refusal its place in the line stays. */
  @Override
  public void close() {
    if (!refused) {
      helm.releaseReservation(release);
    }
  }
}
