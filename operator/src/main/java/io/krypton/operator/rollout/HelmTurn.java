package io.krypton.operator.rollout;

import io.krypton.operator.helm.HelmClient;
import io.krypton.operator.helm.ReleaseKey;

/**
 * The turn of one run at Helm. It is taken before the first thing that is read or told for a Helm
 * run, so that whoever finds none has cost nothing, and comes again when it is called.
 */
final class HelmTurn implements AutoCloseable {
  private final HelmClient helm;
  private final ReleaseKey release;
  private final Runnable call;
  private boolean refused;

  /**
   * Not taken yet.
   *
   * @param call run when there is a turn after it was refused
   */
  HelmTurn(HelmClient helm, ReleaseKey release, Runnable call) {
    this.helm = helm;
    this.release = release;
    this.call = call;
  }

  /** Whether it is its turn; never waits. */
  boolean take() {
    refused = !helm.reserve(release, call);
    return !refused;
  }

  /**
   * Whether it has the server for itself as well; never waits. After a refusal its slot is gone.
   */
  boolean takeAlone(String server) {
    refused = !helm.reserveAlone(release, server, call);
    return !refused;
  }

  /** Helm is not needed any more; after a refusal its place in the line stays. */
  @Override
  public void close() {
    if (!refused) {
      helm.giveBack(release);
    }
  }
}
