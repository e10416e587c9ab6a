package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.operator.rollout.ReferencedValues;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the deployments of one home cluster, from a thread of its own, as soon as that cluster
 * knows the kind. Where it never does, nothing but a rare question is asked of it.
 */
final class HomeWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HomeWatch.class);
  private static final String FIELD_MANAGER = "krypton-operator";
  private static final String PLURAL = "kryptondeployments";
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration SYNC_STEP = Duration.ofSeconds(30);

  private final KubernetesClient client;
  private final InformerCache<KryptonDeployment> deployments;
  private final Home home;
  private final Followed followed;
  private final String remedy;
  private final Thread thread;
  private volatile boolean listed;

  /** Told once, when all deployments are known. */
  interface Followed {
    void by(Home home) throws InterruptedException;
  }

  HomeWatch(
      KubernetesClient client,
      EventRecorder events,
      DeploymentSettings settings,
      DeploymentController waking,
      Followed followed) {
    this.client = client;
    this.followed = followed;
    this.remedy = remedy(settings.ensuresCrds());
    this.deployments =
        new InformerCache<>(
            "home/" + PLURAL,
            client.resources(KryptonDeployment.class).inAnyNamespace(),
            Home.indexes(settings.routing()));
    this.home =
        new Home(
            client,
            deployments,
            new StatusWriter<>(client, FIELD_MANAGER),
            events,
            new ReferencedValues("home", client, waking),
            new LabelledSecrets(client, settings.label(), waking::referring));
    this.thread = Thread.ofVirtual().name("home deployments").unstarted(this::follow);
  }

  /** What to do about a missing definition; nobody is told to set what is set. */
  static String remedy(boolean ensuresCrds) {
    return ensuresCrds
        ? "its definition is being made (--ensure-watch-crds)"
        : "install its definition, or start with --ensure-watch-crds";
  }

  void start() {
    thread.start();
  }

  /** Null until all deployments were listed. */
  @Nullable Home home() {
    return listed ? home : null;
  }

  private void follow() {
    try {
      awaitKind();
      deployments.start();
      while (!deployments.awaitSync(SYNC_STEP)) {
        log.atDebug().log("deployments of home are not listed yet");
      }
      listed = true;
      followed.by(home);
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitKind() throws InterruptedException {
    var pause = FIRST_PAUSE;
    while (!isServed()) {
      if (pause.equals(FIRST_PAUSE)) {
        log.info("home does not serve {} yet; {}", PLURAL, remedy);
      }
      Thread.sleep(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
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
    home.references().close();
    home.labelledSecrets().close();
  }
}
