package io.krypton.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Annotations;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.rollout.Phase;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterListener;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.Watch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.queue.Backoff;
import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.EventFilter;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.LivingOwners;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.RunListener;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows the deployments of home and wakes those that a change concerns, be it on home or on the
 * clusters that they go to.
 */
public final class DeploymentController
    implements ClusterListener, LivingOwners, Edges.Waking, ReferencedValues.Waking, AutoCloseable {
  private static final String HOME = "home";

  private final DeploymentSettings settings;
  private final Edges edges;
  private final Consumer<String> stopHelm;
  private final DeploymentReconciler reconciler;
  private final Controller controller;
  private volatile @Nullable HomeWatch watch;

  /**
   * Paused, and without a home until {@link #attach}.
   *
   * @param stopHelm ends what Helm does on the cluster of this name
   * @param reconciler made with the look-up of home that this controller keeps
   */
  public DeploymentController(
      DeploymentSettings settings,
      Edges edges,
      Consumer<String> stopHelm,
      RunListener listener,
      Function<DeploymentController, DeploymentReconciler> reconciler) {
    this.settings = settings;
    this.edges = edges;
    this.stopHelm = stopHelm;
    this.reconciler = reconciler.apply(this);
    this.controller =
        new Controller(
            "deployments",
            // One lane, home; what each cluster may take of it is kept by EdgeTurns.
            new Limits(settings.runs().total(), settings.runs().total()),
            Backoff.standard(),
            this.reconciler,
            (key, outcome, waited, took) -> listener.ran(key.cluster(), took));
    edges.onMissing(this::referring);
  }

  /** The deployments of this home are followed from now on, instead of those of an earlier one. */
  public synchronized void attach(KubernetesClient client, EventRecorder events) {
    close();
    var next = new HomeWatch(client, events, settings, this, this::followed);
    watch = next; // Before its start: the first runs look for it here.
    next.start();
  }

  private void followed(Home home) throws InterruptedException {
    var deployments = home.deployments();
    var _ =
        deployments.subscribe(
            (before, after) -> {
              if (before != null && after == null) {
                reconciler.vanished(before);
              }
            });
    controller.attach(
        HOME,
        List.of(
            Watch.of(deployments).freshStartOn(DeploymentController::isFreshStart),
            // Rivals for a namespace: when one goes, the next may have it.
            Watch.of(
                    deployments,
                    (name, deployment) -> keys(home.named(deployment.getMetadata().getName())))
                .wakingOn(DeploymentController::changesClaims)));
  }

  /** Null until home was listed. */
  @Nullable Home home() {
    var present = watch;
    return present == null ? null : present.home();
  }

  /** The loop itself, for whoever steers and measures it. */
  public Controller loop() {
    return controller;
  }

  /** A new spec, or a request by annotation: what failed before may work now. */
  private static boolean isFreshStart(
      @Nullable KryptonDeployment before, @Nullable KryptonDeployment after) {
    return before == null
        || after == null
        || EventFilter.<KryptonDeployment>generationChanged().passes(before, after)
        || differ(before, after, Annotations.REQUESTED_AT)
        || differ(before, after, Annotations.FORCE_AT);
  }

  private static boolean differ(HasMetadata before, HasMetadata after, String annotation) {
    return !Objects.equals(annotation(before, annotation), annotation(after, annotation));
  }

  private static @Nullable String annotation(HasMetadata object, String name) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  private static boolean changesClaims(
      @Nullable KryptonDeployment before, @Nullable KryptonDeployment after) {
    return EventFilter.<KryptonDeployment>generationChanged().passes(before, after);
  }

  private static List<WorkKey> keys(List<KryptonDeployment> deployments) {
    return deployments.stream().map(DeploymentController::key).toList();
  }

  private static WorkKey key(KryptonDeployment deployment) {
    return new WorkKey(
        HOME, deployment.getMetadata().getNamespace(), deployment.getMetadata().getName());
  }

  void wake(WorkKey key) {
    controller.wake(key);
  }

  @Override
  public void referring(SecretRef secret) {
    var home = home();
    if (home != null) {
      home.referringTo(secret).forEach(it -> controller.wakeFresh(key(it)));
    }
  }

  @Override
  public void claimants(SecretRef secret, String namespace) {
    var home = home();
    if (home != null) {
      home.named(namespace).stream()
          .filter(
              it ->
                  settings.routing().all(it).stream()
                      .anyMatch(target -> target.secret().equals(secret)))
          .forEach(it -> controller.wakePatiently(key(it)));
    }
  }

  /** What this deployment takes values from has changed. */
  @Override
  public void changed(WorkKey reader) {
    controller.wakeFresh(reader);
  }

  @Override
  public void maybeChanged(WorkKey reader) {
    controller.wakePatiently(reader);
  }

  /**
   * There is news of the chart that this deployment waits for.
   *
   * @param good it can be had now, so that past failures are forgotten
   */
  public void chartChanged(Waiter waiter, boolean good) {
    var key = new WorkKey(HOME, waiter.namespace(), waiter.name());
    if (good) {
      controller.wakeFresh(key);
    } else {
      controller.wake(key);
    }
  }

  /**
   * Whoever goes to that cluster tells its users what became of it, and goes on when it is back.
   */
  @Override
  public void on(ClusterEvent event) {
    if (event instanceof ClusterEvent.Disengaged(var name, var secret, var why)
        && !why.comesBack()
        && edges.isFollowed(name.value())) {
      stopHelm.accept(name.value());
    }
    edges.on(event);
    if (event instanceof ClusterEvent.Disengaged gone && !gone.why().comesBack()) {
      reconciler.forgetCluster(gone.name().value());
    }
    switch (event) {
      case ClusterEvent.Engaged ignored -> referring(event.secret());
      case ClusterEvent.Recovered ignored -> referring(event.secret());
      case ClusterEvent.Unreachable ignored -> referring(event.secret());
      case ClusterEvent.Rejected ignored -> referring(event.secret());
      case ClusterEvent.Disengaged ignored -> referring(event.secret());
      case ClusterEvent.Duplicate ignored -> {}
      case ClusterEvent.StepNotice ignored -> {}
      case ClusterEvent.CredentialsExpiring ignored -> {}
    }
  }

  /** Whether deployments are rolled out on the cluster of this name. */
  public boolean isInUse(String cluster) {
    return edges.isFollowed(cluster);
  }

  /** Whether some deployment is to go to the cluster of this name, or was there. */
  public boolean isMeant(String cluster) {
    return edges.isHeld(cluster);
  }

  /** Before home was listed, everybody may live. */
  @Override
  public boolean lives(String cluster, String reference, String uid) {
    var home = home();
    var parts = reference.split("/", 3);
    if (parts.length != 3 || !parts[0].equals(Owner.Kind.KRYPTON_DEPLOYMENT.toString())) {
      return false;
    }
    return home == null
        || home.deployments()
            .get(parts[1], parts[2])
            .filter(it -> uid.equals(it.getMetadata().getUid()))
            .isPresent();
  }

  @Override
  public boolean lives(String cluster, String uid) {
    var home = home();
    return home != null && home.has(uid);
  }

  /** How many deployments of each phase there are in each region. */
  public List<PhaseCount> phases() {
    var home = home();
    return phases(home == null ? List.of() : home.deployments().list());
  }

  /** Looks at each once, however many regions there are. */
  static List<PhaseCount> phases(Iterable<KryptonDeployment> all) {
    var regions = new TreeMap<String, Map<Phase, Long>>();
    for (var deployment : all) {
      regions
          .computeIfAbsent(
              deployment.getSpec().region().name(), first -> new EnumMap<>(Phase.class))
          .merge(phaseOf(deployment), 1L, Long::sum);
    }
    var counts = new ArrayList<PhaseCount>();
    regions.forEach(
        (region, phases) -> {
          for (var phase : Phase.values()) {
            counts.add(new PhaseCount(region, phase, phases.getOrDefault(phase, 0L)));
          }
        });
    return counts;
  }

  /** One line of {@link #phases}. */
  public record PhaseCount(String region, Phase phase, long count) {}

  private static Phase phaseOf(KryptonDeployment deployment) {
    return Objects.requireNonNullElse(deployment.getStatus().phase(), Phase.PENDING);
  }

  /** Stops to follow home; what is rolled out stays as it is. */
  @Override
  public synchronized void close() {
    var present = watch;
    if (present != null) {
      present.close();
    }
  }
}
