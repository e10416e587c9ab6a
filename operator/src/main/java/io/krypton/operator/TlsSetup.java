// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.KryptonApi;
import io.krypton.base.http.Page;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.home.HomeClusterConnector;
import io.krypton.multicluster.home.HomeConnection;
import io.krypton.multicluster.leader.LeadershipListener;
import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.observe.OperatorMetric;
import io.krypton.operator.observe.ServerSecurity;
import io.krypton.operator.platform.OpenShiftDiscovery;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.PlatformDetector;
import io.krypton.operator.tls.auth.DelegatedAuth;
import io.krypton.operator.tls.auth.DelegatedAuth.AuthTimings;
import io.krypton.operator.tls.auth.KubernetesAccessReviews;
import io.krypton.operator.tls.distribution.TlsProfileController;
import io.krypton.operator.tls.distribution.TlsProfileSettings;
import io.krypton.operator.tls.serving.MountedDirectory;
import io.krypton.operator.tls.serving.ReloadingTls;
import io.krypton.operator.tls.serving.ReloadingTls.ReloadListener;
import io.krypton.operator.tls.serving.ServingInputs;
import io.krypton.operator.tls.serving.ServingInputs.PodAnnotations;
import io.krypton.operator.tls.serving.ServingInputs.TlsInput;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts together platform, TLS profile and what protects the metrics. It has a way of its own to the
 * cluster the operator runs in: home, where Tenants' clusters are registered, may be another one.
 */
final class TlsSetup implements LeadershipListener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TlsSetup.class);
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final Duration REVIEW_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration DISCOVERY_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RESYNC = Duration.ofMinutes(10);
  private static final Duration PAUSE_LIMIT = Duration.ofSeconds(3);

  private final OperatorSettings settings;
  private final HomeClusterConnector host;
  private final PlatformDetector platform;
  private final TlsProfileController controller;
  private final Optional<ReloadingTls> serving;
  private final Optional<DelegatedAuth> auth;
  private final BooleanSupplier mayWrite;
  private volatile @Nullable KubernetesClient client;

  TlsSetup(
      OperatorSettings settings,
      ClientFactory clients,
      ClientSettings clientSettings,
      Metrics metrics,
      BooleanSupplier mayWrite) {
    this.settings = settings;
    this.mayWrite = mayWrite;
    var options = settings.tls();
    this.host =
        new HomeClusterConnector(
            settings.home().host(), clients, clientSettings.withoutRetries(), this::onHost);
    this.platform =
        options
            .platform()
            .map(PlatformDetector::configured)
            .orElseGet(
                () ->
                    PlatformDetector.detecting(
                        new OpenShiftDiscovery(this::client, DISCOVERY_TIMEOUT), this::onPlatform));
    this.controller =
        new TlsProfileController(
            new TlsProfileSettings(
                settings.home().podNamespace(),
                options.publish(),
                options.adherence(),
                options.own(),
                settings.serving().delegatedAuth() ? "delegated" : "none",
                RESYNC),
            new EventSource(
                "krypton-tls-profile",
                KryptonApi.GROUP + "/krypton-tls-profile",
                settings.instance()),
            platform::state,
            options.jvm(),
            (key, reconcileResult, waited, took) ->
                metrics.time(
                    OperatorMetric.RECONCILE_TIME, Map.of("controller", "tls-profile"), took));
    this.serving =
        settings.serving().secureMetrics()
            ? Optional.of(serving(options, metrics))
            : Optional.empty();
    this.auth =
        settings.serving().delegatedAuth()
            ? Optional.of(
                new DelegatedAuth(
                    new KubernetesAccessReviews(this::client, REVIEW_TIMEOUT),
                    AuthTimings.standard(settings.serving().authStaleGrace()),
                    result -> metrics.count(OperatorMetric.METRICS_AUTH, Map.of("result", result)),
                    InstantSource.system()))
            : Optional.empty();
  }

  private static ReloadingTls serving(OperatorSettings.Tls options, Metrics metrics) {
    return new ReloadingTls(
        new ServingInputs(new MountedDirectory(options.servingDirectory()), options.source(), POLL),
        options.jvm(),
        InstantSource.system(),
        new ReloadListener() {
          @Override
          public void reloaded(TlsInput input) {
            metrics.count(OperatorMetric.TLS_RELOADS, Map.of("input", input.value()));
          }

          @Override
          public void refused(TlsInput input, String reason) {
            metrics.count(
                OperatorMetric.TLS_RELOAD_ERRORS, Map.of("input", input.value(), "reason", reason));
          }
        });
  }

  private Optional<KubernetesClient> client() {
    return Optional.ofNullable(client);
  }

  private void onHost(HomeConnection found) {
    client = found.client();
    try {
      controller.attach(found.fenced().apply(mayWrite));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void onPlatform() {
    controller.onPlatformChange();
  }

  /** How metrics and status are protected. */
  ServerSecurity serverSecurity() {
    return new ServerSecurity(
        serving.map(tls -> tls),
        auth.<Page.Guard>map(guard -> guard).orElse(request -> Optional.empty()));
  }

  void start() {
    if (settings.serving().openToAll()) {
      log.warn("metrics and status are served without authentication");
    }
    if (!settings.election().enabled()) {
      controller.resume(() -> true);
    }
    serving.ifPresent(ReloadingTls::start);
    host.start();
    platform.start();
  }

  @Override
  public void startedLeading(Term term) {
    controller.resume(term::isHeld);
  }

  @Override
  public void stoppedLeading(Term term) throws InterruptedException {
    controller.pause(PAUSE_LIMIT);
  }

  boolean isAlive() {
    return controller.isAlive();
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauges(
        OperatorMetric.PLATFORM,
        () -> {
          var value = platform.state().known().map(Platform::value).orElse("unknown");
          return List.of(new Sample(Map.of("platform", value), 1));
        });
    serving.ifPresent(tls -> registerMetrics(metrics, tls));
  }

  private void registerMetrics(Metrics metrics, ReloadingTls tls) {
    var podAnnotations = new PodAnnotations(settings.tls().podInfoDirectory());
    metrics.gauges(
        OperatorMetric.TLS_PROFILE,
        () ->
            List.of(
                new Sample(
                    Map.of("source", tls.state().source(), "hash", tls.state().profileHash()), 1)));
    metrics.gauges(
        OperatorMetric.TLS_PROFILE_MATCH,
        () ->
            podAnnotations.expectedProfileHash().stream()
                .map(hash -> new Sample(Map.of(), hash.equals(tls.state().profileHash()) ? 1 : 0))
                .toList());
    metrics.gauge(OperatorMetric.TLS_PROFILE_NARROWED, () -> tls.state().narrowed().size());
    metrics.gauge(
        OperatorMetric.TLS_CERTIFICATE_END,
        () -> tls.state().certificateNotAfter().getEpochSecond());
  }

  void stop(Duration grace) throws InterruptedException {
    controller.stop(grace);
  }

  @Override
  public void close() {
    platform.close();
    controller.close();
    host.close();
    serving.ifPresent(ReloadingTls::close);
    auth.ifPresent(DelegatedAuth::close);
  }
}
