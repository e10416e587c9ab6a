// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.krypton.operator.platform.Platform;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Adherence;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfile;
import java.time.Duration;
import java.util.Optional;

/**
 * What is published, and to whom.
 *
 * @param namespace of the ConfigMap and its consumers
 * @param own the profile that flags give
 * @param metricsAuth handed to consumers as it is
 * @param resync how often all is looked at without a cause
 */
public record TlsProfileSettings(
    String namespace,
    Publish publish,
    Adherence adherence,
    Optional<TlsProfile> own,
    String metricsAuth,
    Duration resync) {
  /** Which profile is published. */
  public enum Publish {
    /** That of the cluster on OpenShift, else none. */
    AUTO,
    CLUSTER,
    FLAGS,
    NONE
  }

  /** What {@link Publish#AUTO} means on a platform. */
  Publish publishOn(Platform platform) {
    return publish == Publish.AUTO
        ? platform == Platform.OPENSHIFT ? Publish.CLUSTER : Publish.NONE
        : publish;
  }

  TlsProfile ownOrDefault() {
    return own.orElse(PredefinedProfiles.INTERMEDIATE);
  }
}
