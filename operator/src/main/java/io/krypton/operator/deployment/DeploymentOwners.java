// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.target.ObservedOwner.ClassChoice;
import io.krypton.operator.release.target.ObservedOwner.Health;
import io.krypton.operator.release.target.ObservedOwner.Installed;
import io.krypton.operator.release.target.ObservedOwner.OwnerKey;
import io.krypton.operator.release.target.ObservedOwner.Place;
import io.krypton.operator.release.target.ObservedOwner.Readiness;
import io.krypton.operator.release.target.OwnerSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The KryptonDeployments of home with their releases in the regions. Nothing is subscribed to
 * before somebody wants to know, which takes a TenantClass.
 */
public final class DeploymentOwners implements OwnerSource {
  private final DeploymentSettings settings;
  private final RegionRouting routing;
  private final RegionClusters regions;
  private final BiConsumer<String, String> enqueue;

  /** Under which key an object was reported last: its region may change. */
  private final Map<String, OwnerKey> reported = new HashMap<>();

  private volatile @Nullable HomeDeployments home;
  private volatile @Nullable OwnerListener listener;

  /**
   * @param enqueue called with namespace and name of an object
   */
  DeploymentOwners(
      DeploymentSettings settings, RegionClusters regions, BiConsumer<String, String> enqueue) {
    this.settings = settings;
    this.routing = settings.routing();
    this.regions = regions;
    this.enqueue = enqueue;
  }

  @Override
  public synchronized void subscribe(OwnerListener newListener) {
    if (listener == null) {
      listener = newListener;
      if (home != null) {
        follow(home);
      }
    }
  }

  @Override
  public void enqueue(OwnerKey key) {
    enqueue.accept(key.namespace(), key.name());
  }

  /** These are the deployments from now on. */
  synchronized void attached(HomeDeployments next) {
    home = next;
    if (listener != null) {
      follow(next);
    }
  }

  private void follow(HomeDeployments followed) {
    var _ =
        followed
            .deployments()
            .subscribe(
                (before, after) -> changed(Objects.requireNonNull(after == null ? before : after)));
  }

  /**
   * Something changed about the deployment, or about its release. It is reported as it is now:
   * several watches tell of it, and the later one must not be overtaken.
   */
  void changed(KryptonDeployment deployment) {
    var told = listener;
    var at = home;
    var metadata = deployment.getMetadata();
    if (told == null || at == null || !settings.watches(metadata.getNamespace())) {
      return;
    }
    synchronized (reported) {
      var present = at.deployments().get(metadata.getNamespace(), metadata.getName()).orElse(null);
      var observed = present == null ? null : observe(present);
      var key = observed == null ? null : observed.key();
      var before =
          key == null ? reported.remove(nameOf(deployment)) : reported.put(nameOf(deployment), key);
      if (before != null && !before.equals(key)) {
        told.onGone(before);
      }
      if (observed != null) {
        told.onObserved(observed);
      }
    }
  }

  private static String nameOf(KryptonDeployment deployment) {
    return deployment.getMetadata().getNamespace() + "/" + deployment.getMetadata().getName();
  }

  /** A deployment and its release in the region that it is to go to. */
  ObservedOwner observe(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    var spec = deployment.getSpec();
    var wanted = routing.desiredTarget(deployment);
    var cluster = routing.clusterOf(wanted).value();
    var region = regions.watchedTarget(wanted.secret());
    var release = ReleaseName.ofDeployment(metadata.getName());
    return new ObservedOwner(
        HomeDeployments.ownerOf(deployment),
        new Place(cluster, wanted.secret(), region.isPresent()),
        Objects.requireNonNullElse(metadata.getLabels(), Map.of()),
        new ClassChoice(
            spec.classOrDefault(),
            spec.pin(),
            Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
                .get(Annotations.PROMOTE)),
        spec.suspend(),
        metadata.getDeletionTimestamp() != null,
        region
            .map(target -> target.cachedHistory(metadata.getName(), release))
            .map(Installed::of)
            .orElse(null),
        health(deployment, wanted, cluster));
  }

  private Health health(KryptonDeployment deployment, KubeconfigRef wanted, String cluster) {
    var status = deployment.getStatus();
    var ready =
        ConditionList.find(status.conditions(), RolloutConditionTypes.READY)
            .filter(it -> routing.currentTarget(deployment).filter(wanted::equals).isPresent());
    var isReady = ready.filter(it -> it.status() == Condition.ConditionStatus.TRUE).isPresent();
    var isStalled = ConditionList.isTrue(status.conditions(), RolloutConditionTypes.STALLED);
    var isError = status.phase() == RolloutPhase.ERROR;
    var notReady = ready.filter(it -> !isReady);
    return new Health(
        Release.revisionOn(cluster, status.releases()),
        Release.chartVersionOn(cluster, status.releases()),
        Objects.equals(status.observedGeneration(), deployment.getMetadata().getGeneration()),
        isReady
            ? Readiness.READY
            : isStalled ? Readiness.STALLED : isError ? Readiness.FAILING : Readiness.PROGRESSING,
        notReady.map(Condition::reason).orElse(""),
        notReady.map(Condition::lastTransitionTime).orElse(null));
  }
}
