package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.SecretRef;

/** The kubeconfig that leads to the cluster of a region: one key of one Secret on home. */
public record Target(SecretRef secret, String key) {}
