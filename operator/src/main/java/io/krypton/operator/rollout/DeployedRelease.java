package io.krypton.operator.rollout;

import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.release.ReleaseName;

/** A release as it stands on a cluster. */
public record DeployedRelease(
    ReleaseName name, String namespace, int revision, Fingerprint fingerprint, String chart) {}
