// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.release.reconcile.OwnerQueue;
import io.krypton.operator.release.reconcile.ReferencedValues;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the deployments of one home cluster, from a thread of its own, as soon as that cluster
 * serves the kind. Until then it costs one discovery request every half minute.
 */
final class HomeDeploymentsWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HomeDeploymentsWatch.class);
  private static final String FIELD_MANAGER = "krypton-operator";
  private static final String PLURAL = "kryptondeployments";
  private static final Duration INITIAL_DELAY = Duration.ofSeconds(1);
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);
  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final InformerCache<KryptonDeployment> deployments;
  private final HomeDeployments homeDeployments;
  private final SyncListener syncListener;
  private final String remedy;
  private final Thread thread;
  private volatile boolean listed;

  /** Called once, when all deployments are listed. */
  interface SyncListener {
    void onSynced(HomeDeployments homeDeployments) throws InterruptedException;
  }

  HomeDeploymentsWatch(
      KubernetesClient client,
      EventRecorder events,
      DeploymentSettings settings,
      OwnerQueue queue,
      Consumer<SecretRef> onLabelledSecret,
      SyncListener syncListener) {
    this.client = client;
    this.syncListener = syncListener;
    this.remedy = remedy(settings.ensuresCrds());
    this.deployments =
        new InformerCache<>(
            "home/" + PLURAL,
            client.resources(KryptonDeployment.class).inAnyNamespace(),
            HomeDeployments.indexes(settings.routing()));
    this.homeDeployments =
        new HomeDeployments(
            client,
            deployments,
            new StatusWriter<>(client, FIELD_MANAGER),
            events,
            new ReferencedValues("home", client, queue),
            new LabelledSecrets(client, settings.label(), onLabelledSecret));
    this.thread = Thread.ofVirtual().name("home deployments").unstarted(this::watchDeployments);
  }

  /** What to do about a missing definition; a flag that is set is not recommended. */
  static String remedy(boolean ensuresCrds) {
    return ensuresCrds
        ? "its definition is being made (--ensure-watch-crds)"
        : "install its definition, or start with --ensure-watch-crds";
  }

  void start() {
    thread.start();
  }

  /** Null until all deployments were listed. */
  @Nullable HomeDeployments home() {
    return listed ? homeDeployments : null;
  }

  private void watchDeployments() {
    try {
      awaitServed();
      deployments.start();
      while (!deployments.awaitSync(SYNC_TIMEOUT)) {
        log.atDebug().log("deployments of home are not listed yet");
      }
      listed = true;
      syncListener.onSynced(homeDeployments);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitServed() throws InterruptedException {
    var pause = INITIAL_DELAY;
    while (!isServed()) {
      if (pause.equals(INITIAL_DELAY)) {
        log.info("home does not serve {} yet; {}", PLURAL, remedy);
      }
      Thread.sleep(pause);
      pause = pause.multipliedBy(2).compareTo(MAX_DELAY) < 0 ? pause.multipliedBy(2) : MAX_DELAY;
    }
  }

  private boolean isServed() {
    try {
      var resources = client.getApiResources(KryptonApi.GROUP + "/" + KryptonApi.VERSION);
      return resources != null
          && resources.getResources().stream().anyMatch(it -> PLURAL.equals(it.getName()));
    } catch (KubernetesClientException notNow) {
      log.atDebug().addKeyValue("code", notNow.getCode()).log("home did not answer");
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    listed = false;
    deployments.close();
    homeDeployments.references().close();
    homeDeployments.labelledSecrets().close();
  }
}
