package io.krypton.operator.rollout;

import io.krypton.api.rollout.Release;
import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.release.ReleaseName;

/**
 * A release as it stands on a cluster.
 *
 * @param revisionUid of the Secret that holds the revision; numbers come again, this does not
 */
public record DeployedRelease(
    ReleaseName name,
    String namespace,
    int revision,
    String revisionUid,
    Fingerprint fingerprint,
    String chart) {

  /** As the status of its owner shows it. */
  public Release on(String cluster) {
    return new Release(cluster, name.value(), namespace, revision, fingerprint.hex());
  }
}
