// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Crds;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.TokenSource;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.crd.CrdInstaller;
import io.krypton.multicluster.crd.CrdInstaller.CrdResult;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.home.HomeConnection;
import io.krypton.multicluster.home.SelfClusterSecret;
import io.krypton.multicluster.home.SelfClusterSecret.SelfClusterResult;
import io.krypton.multicluster.home.SelfClusterSettings;
import io.krypton.multicluster.home.SelfClusterSettings.SelfClusterSource;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.operator.OperatorSettings.ControllerName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done on home once it answers: our CRDs, and the Secret that engages home itself. */
final class HomeBootstrap implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HomeBootstrap.class);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(60);
  private static final Duration TOKEN_CHECK = Duration.ofSeconds(60);

  /** The name of the Secret, and so of the cluster, that is home itself. */
  static final String SELF = "self-cluster";

  private final OperatorSettings settings;
  private final ClientFactory clients;
  private final ClientSettings clientSettings;
  private final CrdInstaller ensurer;
  private final BooleanSupplier leads;
  private final Consumer<SecretRef> tokenKnown;
  private volatile @Nullable SelfClusterSecret self;
  private @Nullable String lastFailure;
  private int notWritten;
  private @Nullable Thread thread;

  /**
   * Does nothing until home is known.
   *
   * @param leads whether this replica may change what others have written
   * @param tokenKnown told of a Secret for which {@link #liveToken} has a better answer now
   */
  HomeBootstrap(
      OperatorSettings settings,
      ClientFactory clients,
      ClientSettings clientSettings,
      CrdInstaller ensurer,
      BooleanSupplier leads,
      Consumer<SecretRef> tokenKnown) {
    this.settings = settings;
    this.clients = clients;
    this.clientSettings = clientSettings;
    this.ensurer = ensurer;
    this.leads = leads;
    this.tokenKnown = tokenKnown;
  }

  /** Tries in the background until all is there, then keeps the Secret's token up to date. */
  synchronized void start(Leadership.Home home) {
    close();
    var secret = selfClusterSecret(home.connection());
    self = secret;
    thread = Thread.ofVirtual().name("home bootstrap").start(() -> run(home, secret));
  }

  Optional<TokenSource> liveToken(SecretRef secret, ApiEndpoint endpoint) {
    var present = self;
    return present == null ? Optional.empty() : present.of(secret, endpoint);
  }

  private void run(Leadership.Home home, SelfClusterSecret secret) {
    try {
      while (!isDone(home, secret)) {
        Thread.sleep(pause());
      }
      while (secret.isFollowing()) {
        Thread.sleep(TOKEN_CHECK);
        secret.refresh();
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** An outage is over at once; credentials that do not do are seldom replaced. */
  private Duration pause() {
    var grown = RETRY.multipliedBy(1L << Math.min(notWritten, 4));
    return grown.compareTo(LONGEST_RETRY) < 0 ? grown : LONGEST_RETRY;
  }

  private boolean isDone(Leadership.Home home, SelfClusterSecret secret)
      throws InterruptedException {
    try {
      return ensureCrds(home.connection())
          && (!settings.runs(ControllerName.TENANTS) || ensureSelfCluster(home, secret));
    } catch (KubernetesClientException notNow) {
      var why = ClusterFailure.of(notNow).message();
      if (!why.equals(lastFailure)) {
        log.atWarn().addKeyValue("error", why).log("bootstrap of home failed, retrying");
        lastFailure = why;
      }
      notWritten = 0;
      return false;
    }
  }

  private boolean ensureCrds(HomeConnection home) {
    if (!settings.home().ensureCrds()) {
      return true;
    }
    var done = true;
    for (var result : ensurer.ensure(home.client(), Crds.all())) {
      if (result instanceof CrdResult.Failed(var crd, var why)) {
        log.atWarn().addKeyValue("crd", crd).log("CRD not established on home: {}", why);
        done = false;
      }
    }
    return done;
  }

  private boolean ensureSelfCluster(Leadership.Home home, SelfClusterSecret secret)
      throws InterruptedException {
    return switch (secret.ensure()) {
      case SelfClusterResult.Written(var source) -> {
        log.atInfo().addKeyValue("source", source).log("wrote Secret {} to engage home", SELF);
        yield true;
      }
      case SelfClusterResult.WrittenFullFile(var source) -> {
        var message = "the whole file %s is stored; it may hold other clusters".formatted(source);
        var present =
            home.connection()
                .client()
                .secrets()
                .inNamespace(settings.home().namespace())
                .withName(SELF)
                .get();
        if (present != null) {
          home.events()
              .record(
                  EventMessage.warning(
                      present, EventReason.SELF_CLUSTER_FULL_FILE.value(), message));
        }
        yield true;
      }
      case SelfClusterResult.Kept kept -> true;
      case SelfClusterResult.NotWritten none -> {
        notWritten++;
        yield false;
      }
    };
  }

  private SelfClusterSecret selfClusterSecret(HomeConnection home) {
    var secret = new SecretRef(settings.home().namespace(), SELF);
    return new SelfClusterSecret(
        new SelfClusterSettings(
            secret,
            settings.clusters().label(),
            "app.kubernetes.io/managed-by",
            "krypton",
            settings.clusters().key(),
            settings.clusters().selfCluster(),
            settings.clusters().selfClusterFullFile()),
        SelfClusterSource.inOrder(
            settings.environment(), Path.of(System.getProperty("user.home")), home),
        clients,
        clientSettings,
        home.client(),
        leads,
        () -> tokenKnown.accept(secret));
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
