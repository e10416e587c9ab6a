// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.tls.distribution.TlsProfileReconciler.DistributionResult.Publication;
import io.krypton.operator.tls.distribution.TlsProfileSettings.Publish;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.TlsProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass: the ConfigMap first, read back, and only then the consumers. A consumer that starts
 * because of its new annotation finds the profile that the annotation names. Every step may be the
 * last one: the next pass finds what is left to do by looking.
 */
final class TlsProfileReconciler {
  private static final Logger log = LoggerFactory.getLogger(TlsProfileReconciler.class);

  private final TlsProfileSettings settings;
  private final TlsProfileClient objects;
  private final TlsProfileStatusWriter report;
  private final TlsProfileEvents events;
  private final JvmTls jvm;

  TlsProfileReconciler(
      TlsProfileSettings settings,
      TlsProfileClient objects,
      TlsProfileStatusWriter report,
      TlsProfileEvents events,
      JvmTls jvm) {
    this.settings = settings;
    this.objects = objects;
    this.report = report;
    this.events = events;
    this.jvm = jvm;
  }

  ReconcileResult reconcile(PlatformState platform) throws InterruptedException {
    var configMap = objects.configMap();
    var deployments = objects.deployments();
    var consumers = deployments.stream().filter(ConsumerDeployment::isOptedIn).toList();
    var rendersOpenShift =
        TlsProfileConfigMap.isForOpenShift(configMap)
            || consumers.stream().anyMatch(ConsumerDeployment::isForOpenShift);
    var plan =
        TlsProfileDecision.decide(platform, rendersOpenShift, source(platform), settings, jvm);
    var result = act(plan, configMap, consumers);
    releaseOptedOut(deployments);
    report.write(TlsProfileConditions.of(platform, result));
    return result
        .retryReason()
        .map(why -> ReconcileResult.retry("NotFinished", why))
        .orElseGet(() -> ReconcileResult.requeueAfter(settings.resync()));
  }

  private TlsProfileDecision.Source source(PlatformState platform) {
    var wanted =
        platform.known().filter(it -> settings.publishOn(it) == Publish.CLUSTER).isPresent();
    return wanted ? objects.source() : new TlsProfileDecision.Source.NotAsked();
  }

  private DistributionResult act(
      TlsProfileDecision plan, @Nullable ConfigMap configMap, List<ConsumerDeployment> consumers)
      throws InterruptedException {
    return switch (plan) {
      case TlsProfileDecision.AwaitPlatform await -> unchanged(plan, configMap);
      case TlsProfileDecision.RejectPlatformChange flip -> unchanged(plan, configMap);
      case TlsProfileDecision.NoSource noSource -> unchanged(plan, configMap);
      case TlsProfileDecision.Reject(var why) -> {
        events.rejected(why);
        yield unchanged(plan, configMap);
      }
      case TlsProfileDecision.Distribute(var platform, var published) -> {
        events.accepted();
        published.flatMap(TlsProfileDecision.PublishedProfile::warning).ifPresent(log::warn);
        var profile = published.map(TlsProfileDecision.PublishedProfile::profile);
        var publication =
            profile.isEmpty()
                ? new Publication.NotPublished()
                : publish(profile.get(), platform, configMap);
        yield publication instanceof Publication.Published || profile.isEmpty()
            ? new DistributionResult(
                plan, publication, patchConsumers(platform, profile, consumers))
            : new DistributionResult(plan, publication, List.of());
      }
    };
  }

  private static DistributionResult unchanged(
      TlsProfileDecision plan, @Nullable ConfigMap configMap) {
    return new DistributionResult(
        plan,
        TlsProfileConfigMap.content(configMap).isPresent()
            ? new Publication.Published()
            : new Publication.NotPublished(),
        List.of());
  }

  private Publication publish(TlsProfile profile, Platform platform, @Nullable ConfigMap live) {
    if (TlsProfileConfigMap.isUpToDate(live, profile, platform)) {
      return new Publication.Published();
    }
    try {
      objects.apply(TlsProfileConfigMap.of(settings.namespace(), profile, platform));
    } catch (KubernetesClientException refused) {
      return new Publication.WriteFailed(
          "the ConfigMap cannot be written: " + ApiFailure.of(refused).message());
    }
    if (!TlsProfileConfigMap.hasProfile(objects.configMap(), profile)) {
      return new Publication.ReadBackMismatch();
    }
    if (!TlsProfileConfigMap.hasProfile(live, profile)) {
      events.published(profile.hash());
      log.atInfo().addKeyValue("hash", profile.hash()).log("TLS profile published");
    }
    return new Publication.Published();
  }

  /** Answers which consumers could not be given their settings; one does not hold up the others. */
  private List<String> patchConsumers(
      Platform platform, Optional<TlsProfile> profile, List<ConsumerDeployment> consumers)
      throws InterruptedException {
    var consumerPatch =
        new ConsumerPatch(platform, profile.map(TlsProfile::hash), settings.metricsAuth());
    var unpatched = new ArrayList<String>();
    var inOrder =
        consumers.stream()
            .sorted(
                Comparator.comparing(ConsumerDeployment::isOperator)
                    .thenComparing(ConsumerDeployment::name))
            .toList();
    for (var consumerDeployment : inOrder) {
      if (Thread.interrupted()) {
        throw new InterruptedException("no longer wanted");
      }
      patchConsumers(consumerPatch, consumerDeployment).ifPresent(unpatched::add);
    }
    return unpatched;
  }

  private Optional<String> patchConsumers(
      ConsumerPatch consumerPatch, ConsumerDeployment consumerDeployment) {
    if (consumerDeployment.usesRecreateStrategy()) {
      events.recreateStrategy(consumerDeployment);
    }
    var container = consumerDeployment.container();
    if (container.isEmpty()) {
      return Optional.of(
          "Deployment %s has no container of the name that its annotation gives"
              .formatted(consumerDeployment.name()));
    }
    if (consumerPatch.isAppliedTo(consumerDeployment, container.get())) {
      return Optional.empty();
    }
    try {
      objects.apply(consumerPatch.patchFor(consumerDeployment, container.get().getName()));
      events.rolled(
          consumerDeployment,
          consumerPatch.hash().map(hash -> "profile " + hash).orElse("no profile"));
      return Optional.empty();
    } catch (KubernetesClientException refused) {
      return Optional.of(
          "Deployment %s cannot be changed: %s"
              .formatted(consumerDeployment.name(), ApiFailure.of(refused).message()));
    }
  }

  /** Takes our fields out of Deployments that have lost the label, after one more look at each. */
  private void releaseOptedOut(List<ConsumerDeployment> deployments) {
    deployments.stream()
        .filter(
            consumerDeployment ->
                !consumerDeployment.isOptedIn() && consumerDeployment.hasManagedFields())
        .flatMap(consumerDeployment -> objects.deployment(consumerDeployment.name()).stream())
        .filter(confirmed -> !confirmed.isOptedIn() && confirmed.hasManagedFields())
        .forEach(confirmed -> objects.apply(ConsumerPatch.emptyPatchFor(confirmed).build()));
  }

  /**
   * How one pass ended.
   *
   * @param publication what consumers find in the ConfigMap now
   * @param unpatched consumers that could not be given their settings, each with its reason
   */
  record DistributionResult(
      TlsProfileDecision decision, Publication publication, List<String> unpatched) {
    DistributionResult {
      unpatched = List.copyOf(unpatched);
    }

    /** What has become of the publication. */
    sealed interface Publication {
      /** The ConfigMap holds what it should, or what was right before. */
      record Published() implements Publication {}

      /** There is nothing, and the reason is that of the plan. */
      record NotPublished() implements Publication {}

      record WriteFailed(String why) implements Publication {}

      /** Somebody else changes it under our hands. */
      record ReadBackMismatch() implements Publication {}
    }

    /** Why it must be tried again soon. */
    Optional<String> retryReason() {
      return switch (publication) {
        case Publication.WriteFailed(var why) -> Optional.of(why);
        case Publication.ReadBackMismatch mismatch ->
            Optional.of("the ConfigMap does not hold what was written to it");
        case Publication.Published published -> unpatchedOrFailed();
        case Publication.NotPublished notPublished -> unpatchedOrFailed();
      };
    }

    private Optional<String> unpatchedOrFailed() {
      if (decision instanceof TlsProfileDecision.NoSource(var why)) {
        return Optional.of(why);
      }
      return unpatched.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", unpatched));
    }
  }
}
