package io.krypton.operator.tlsprofile;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.PlatformState;
import io.krypton.operator.tls.profile.JvmTls;
import io.krypton.operator.tls.profile.TlsProfile;
import io.krypton.operator.tlsprofile.PassResult.Standing;
import io.krypton.operator.tlsprofile.ProfileSettings.Publish;
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

  private final ProfileSettings settings;
  private final ProfileObjects objects;
  private final ProfileReport report;
  private final ProfileEvents events;
  private final JvmTls jvm;

  TlsProfileReconciler(
      ProfileSettings settings,
      ProfileObjects objects,
      ProfileReport report,
      ProfileEvents events,
      JvmTls jvm) {
    this.settings = settings;
    this.objects = objects;
    this.report = report;
    this.events = events;
    this.jvm = jvm;
  }

  Outcome pass(PlatformState platform) throws InterruptedException {
    var configMap = objects.configMap();
    var deployments = objects.deployments();
    var consumers = deployments.stream().filter(Consumer::isLabelled).toList();
    var rendersOpenShift =
        ProfileConfigMap.saysOpenShift(configMap)
            || consumers.stream().anyMatch(Consumer::saysOpenShift);
    var plan = ProfilePlan.whatNext(platform, rendersOpenShift, source(platform), settings, jvm);
    var result = act(plan, configMap, consumers);
    giveBack(deployments);
    report.tell(ProfileConditions.of(platform, result));
    return result
        .unfinished()
        .map(why -> Outcome.retry("NotFinished", why))
        .orElseGet(() -> Outcome.requeueAfter(settings.resync()));
  }

  private ProfilePlan.Source source(PlatformState platform) {
    var wanted =
        platform.known().filter(it -> settings.publishOn(it) == Publish.CLUSTER).isPresent();
    return wanted ? objects.source() : new ProfilePlan.Source.NotAsked();
  }

  private PassResult act(ProfilePlan plan, @Nullable ConfigMap configMap, List<Consumer> consumers)
      throws InterruptedException {
    return switch (plan) {
      case ProfilePlan.AwaitPlatform await -> unchanged(plan, configMap);
      case ProfilePlan.RefuseFlip flip -> unchanged(plan, configMap);
      case ProfilePlan.NoSource noSource -> unchanged(plan, configMap);
      case ProfilePlan.Refuse(var why) -> {
        events.refused(why);
        yield unchanged(plan, configMap);
      }
      case ProfilePlan.Render(var platform, var published) -> {
        events.accepted();
        published.flatMap(ProfilePlan.Published::warning).ifPresent(log::warn);
        var profile = published.map(ProfilePlan.Published::profile);
        var standing =
            profile.isEmpty()
                ? new Standing.Nothing()
                : publish(profile.get(), platform, configMap);
        yield standing instanceof Standing.Published || profile.isEmpty()
            ? new PassResult(plan, standing, handOver(platform, profile, consumers))
            : new PassResult(plan, standing, List.of());
      }
    };
  }

  private static PassResult unchanged(ProfilePlan plan, @Nullable ConfigMap configMap) {
    return new PassResult(
        plan,
        ProfileConfigMap.content(configMap).isPresent()
            ? new Standing.Published()
            : new Standing.Nothing(),
        List.of());
  }

  private Standing publish(TlsProfile profile, Platform platform, @Nullable ConfigMap live) {
    if (ProfileConfigMap.says(live, profile, platform)) {
      return new Standing.Published();
    }
    try {
      objects.apply(ProfileConfigMap.of(settings.namespace(), profile, platform));
    } catch (KubernetesClientException refused) {
      return new Standing.WriteFailed(
          "the ConfigMap cannot be written: " + ApiFailure.of(refused).message());
    }
    if (!ProfileConfigMap.holds(objects.configMap(), profile)) {
      return new Standing.ReadBackMismatch();
    }
    if (!ProfileConfigMap.holds(live, profile)) {
      events.published(profile.hash());
      log.atInfo().addKeyValue("hash", profile.hash()).log("TLS profile published");
    }
    return new Standing.Published();
  }

  /** Answers which consumers could not be given their settings; one does not hold up the others. */
  private List<String> handOver(
      Platform platform, Optional<TlsProfile> profile, List<Consumer> consumers)
      throws InterruptedException {
    var handOver = new HandOver(platform, profile.map(TlsProfile::hash), settings.metricsAuth());
    var unpatched = new ArrayList<String>();
    var inOrder =
        consumers.stream()
            .sorted(Comparator.comparing(Consumer::isOperator).thenComparing(Consumer::name))
            .toList();
    for (var consumer : inOrder) {
      if (Thread.interrupted()) {
        throw new InterruptedException("no longer wanted");
      }
      handOver(handOver, consumer).ifPresent(unpatched::add);
    }
    return unpatched;
  }

  private Optional<String> handOver(HandOver handOver, Consumer consumer) {
    if (consumer.recreates()) {
      events.recreates(consumer);
    }
    var container = consumer.container();
    if (container.isEmpty()) {
      return Optional.of(
          "Deployment %s has no container of the name that its annotation gives"
              .formatted(consumer.name()));
    }
    if (handOver.isDoneIn(consumer, container.get())) {
      return Optional.empty();
    }
    try {
      objects.apply(handOver.fieldsFor(consumer, container.get().getName()));
      events.rolled(consumer, handOver.hash().map(hash -> "profile " + hash).orElse("no profile"));
      return Optional.empty();
    } catch (KubernetesClientException refused) {
      return Optional.of(
          "Deployment %s cannot be changed: %s"
              .formatted(consumer.name(), ApiFailure.of(refused).message()));
    }
  }

  /** Takes our fields out of Deployments that have lost the label, after one more look at each. */
  private void giveBack(List<Consumer> deployments) {
    deployments.stream()
        .filter(consumer -> !consumer.isLabelled() && consumer.hasOurFields())
        .flatMap(consumer -> objects.deployment(consumer.name()).stream())
        .filter(confirmed -> !confirmed.isLabelled() && confirmed.hasOurFields())
        .forEach(confirmed -> objects.apply(HandOver.emptyFor(confirmed).build()));
  }
}
