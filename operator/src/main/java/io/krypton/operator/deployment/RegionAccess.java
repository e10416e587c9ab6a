// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.FairConcurrencyLimiter;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.deployment.RegionClusters.Availability;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.namespace.NamespaceArbitration;
import java.util.HashSet;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The clusters of one deployment, in so far as it may use them. */
final class RegionAccess {
  private final RegionClusters regionClusters;
  private final HomeDeployments homeDeployments;
  private final RegionRouting regionRouting;
  private final RegionClusters.RegionListener listener;
  private final DeploymentStatusWriter writer;
  private final Function<SecretRef, Optional<FairConcurrencyLimiter.Permit>> slots;

  RegionAccess(
      RegionClusters regionClusters,
      HomeDeployments homeDeployments,
      RegionRouting regionRouting,
      RegionClusters.RegionListener regionListener,
      DeploymentStatusWriter writer,
      Function<SecretRef, Optional<FairConcurrencyLimiter.Permit>> slots) {
    this.slots = slots;
    this.regionClusters = regionClusters;
    this.homeDeployments = homeDeployments;
    this.regionRouting = regionRouting;
    this.listener = regionListener;
    this.writer = writer;
  }

  /** Keeps engaged what the deployment refers to and may use, and lets go of all else. */
  void hold() {
    var allowed = new HashSet<>(regionRouting.allTargets(writer.deployment()));
    allowed.removeIf(kubeconfigRef -> access(kubeconfigRef) != RegionRouting.Access.ALLOWED);
    regionClusters.hold(writer.holder(), allowed);
  }

  Availability availability(KubeconfigRef kubeconfigRef) {
    return switch (access(kubeconfigRef)) {
      case ALLOWED -> regionClusters.availability(writer.holder(), kubeconfigRef, listener);
      case UNKNOWN -> new Availability.Connecting();
      case FORBIDDEN -> new Availability.Unavailable(refusal(kubeconfigRef));
    };
  }

  /** A slot of that cluster; if there is none, the deployment is enqueued when there is. */
  Optional<FairConcurrencyLimiter.Permit> tryAcquire(KubeconfigRef kubeconfigRef) {
    return slots.apply(kubeconfigRef.secret());
  }

  /** Whether what has the deployment's name there, and no living owner, may be its own. */
  boolean isFirstClaimant(KubeconfigRef kubeconfigRef) {
    var claimants = homeDeployments.claimants(writer.workspace(), kubeconfigRef, regionRouting);
    return NamespaceArbitration.olderClaimant(
            HomeDeployments.ownerOf(writer.deployment()), claimants, false)
        .isEmpty();
  }

  private RegionRouting.Access access(KubeconfigRef kubeconfigRef) {
    var namespace = writer.deployment().getMetadata().getNamespace();
    var needsLabel =
        RegionRouting.isWellFormed(kubeconfigRef.secret())
            && !regionRouting.isImplicitlyAllowed(kubeconfigRef.secret(), namespace);
    var labelled =
        needsLabel ? homeDeployments.labelledSecrets().carriesLabel(kubeconfigRef.secret()) : null;
    return regionRouting.access(kubeconfigRef.secret(), namespace, labelled);
  }

  /** Says nothing about the Secret itself, not even whether it exists. */
  private String refusal(KubeconfigRef kubeconfigRef) {
    return RegionRouting.isWellFormed(kubeconfigRef.secret())
        ? "Secret %s may not be used from here; use one in %s or in this namespace, or give it the discovery label"
            .formatted(kubeconfigRef.secret(), regionRouting.namespace())
        : "%s is no valid name of a Secret".formatted(kubeconfigRef.secret());
  }

  /**
   * Keeps slow clusters from taking all workers. All deployments live on home and are one cluster
   * of the queue, so the share of each cluster that they go to is kept here, for roll-out and
   * cleanup alike.
   */
  static final class RegionConcurrency {
    private final FairConcurrencyLimiter<WorkKey> slots;
    private final Consumer<WorkKey> enqueue;

    RegionConcurrency(ConcurrencyLimits concurrencyLimits, Consumer<WorkKey> enqueue) {
      this.slots = new FairConcurrencyLimiter<>(concurrencyLimits, System::nanoTime);
      this.enqueue = enqueue;
    }

    /** Empty if the cluster has no free slot; the key is enqueued when there is one. */
    Optional<FairConcurrencyLimiter.Permit> tryAcquire(SecretRef secret, WorkKey key) {
      return slots.tryAcquire(secret.toString(), key, () -> enqueue.accept(key));
    }
  }
}
