package io.krypton.multicluster.cluster.home;

import io.krypton.multicluster.cluster.SecretRef;

/**
 * How the Secret that stands for home itself looks.
 *
 * @param discoveryLabel the label, with value {@code true}, that makes discovery find it
 * @param managedByLabel with {@code managedBy} as value it marks the Secret as ours; without it the
 *     Secret is never changed
 * @param key the data key of the kubeconfig
 * @param fullFile whether, as a last resort, a kubeconfig file may be stored as it is; that
 *     publishes the credentials of every cluster in it
 */
public record SelfClusterSettings(
    SecretRef secret,
    String discoveryLabel,
    String managedByLabel,
    String managedBy,
    String key,
    Mode mode,
    boolean fullFile) {

  /** When it is written. */
  public enum Mode {
    NEVER,
    /** Only if there is none. */
    AUTO,
    /** Also if there is one of ours. */
    ALWAYS
  }
}
