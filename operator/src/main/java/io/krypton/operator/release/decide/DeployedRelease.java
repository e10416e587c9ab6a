// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.api.rollout.Release;

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
  public Release toStatus(String cluster) {
    return new Release(cluster, name.value(), namespace, revision, fingerprint.hex());
  }
}
