package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.multicluster.controller.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.operator.deployment.DeploymentEvents.DeploymentRolloutListener;
import io.krypton.operator.deployment.RegionAccess.RegionConcurrency;
import io.krypton.operator.deployment.RegionClusters.Availability;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.namespace.NamespaceArbitration;
import io.krypton.operator.release.DesiredRelease;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.HandledRequests;
import io.krypton.operator.release.reconcile.HandledRequests.ForcedRuns;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one deployment on home to what it asks for on the cluster of its region. */
public final class DeploymentReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(DeploymentReconciler.class);
  private static final Duration CONNECTING_DELAY = Duration.ofSeconds(5);

  private final DeploymentController controller;
  private final RegionClusters regionClusters;
  private final RegionConcurrency concurrency;
  private final Rollout rollout;
  private final DeploymentCleanup cleanup;
  private final DeploymentSettings settings;
  private final ReconcileMetricsListener listener;
  private final Clock clock;
  private final ForcedRuns forcedRuns = new ForcedRuns();

  /** Marked by this process: the cache may show our finalizer before it shows our status. */
  private final Set<String> marked = ConcurrentHashMap.newKeySet();

  private final Map<String, String> validated = new ConcurrentHashMap<>();
  private final HandledRequests handledRequests = new HandledRequests();

  /** Works on whatever home the controller has at the time. */
  public DeploymentReconciler(
      DeploymentController controller,
      RegionClusters regionClusters,
      Rollout rollout,
      DeploymentCleanup cleanup,
      DeploymentSettings settings,
      ReconcileMetricsListener listener,
      Clock clock) {
    this.controller = controller;
    this.regionClusters = regionClusters;
    this.concurrency = new RegionConcurrency(settings.runs(), controller::enqueue);
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
  }

  /** One run about one deployment. */
  private record Run(
      Request request, DeploymentStatusWriter writer, RegionAccess access, HomeDeployments home) {
    KryptonDeployment deployment() {
      return writer.deployment();
    }
  }

  @Override
  public ReconcileResult reconcile(Request request) throws InterruptedException {
    var key = request.key();
    var homeDeployments = controller.home();
    if (homeDeployments == null || !settings.watches(key.namespace())) {
      return ReconcileResult.done();
    }
    var deployment = homeDeployments.deployments().get(key.namespace(), key.name());
    if (deployment.isEmpty()) {
      regionClusters.hold(key.namespace() + "/" + key.name(), Set.of());
      homeDeployments.references().forget(key);
      handledRequests.forget(key.namespace() + "/" + key.name());
      validated.remove(key.namespace() + "/" + key.name());
      return ReconcileResult.done(); // The finalizer is the only way to cleanup.
    }
    var record =
        new DeploymentStatusWriter(
            deployment.get(), homeDeployments, settings, clock, handledRequests);
    var sight =
        new RegionAccess(
            regionClusters,
            homeDeployments,
            settings.routing(),
            controller,
            record,
            secret -> concurrency.tryAcquire(secret, key));
    sight.hold();
    try {
      return reconcile(new Run(request, record, sight, homeDeployments));
    } catch (KubernetesClientException silent) {
      // Without an answer it is a matter of the cluster, whose breaker counts, not of the object.
      if (silent.getCode() != 0 || Thread.currentThread().isInterrupted()) {
        throw silent;
      }
      log.atDebug().setCause(silent).log("a cluster did not answer");
      return ReconcileResult.postpone(CONNECTING_DELAY);
    }
  }

  /** Nothing is remembered of an object that does not exist, however it went. */
  void onDeleted(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    forcedRuns.forget(metadata.getUid());
    marked.remove(metadata.getUid());
    for (var kubeconfigRef : settings.routing().allTargets(deployment)) {
      rollout.forget(
          HomeDeployments.ownerOf(deployment),
          clusterOf(kubeconfigRef),
          metadata.getName(),
          ReleaseName.ofDeployment(metadata.getName()));
    }
  }

  void forgetCluster(String cluster) {
    rollout.forgetCluster(cluster);
  }

  private ReconcileResult reconcile(Run run) throws InterruptedException {
    var record = run.writer();
    return switch (DeploymentDecision.decide(run.deployment(), settings.reserved())) {
      case DeploymentDecision.CleanUp(var orphan) -> {
        forget(record);
        yield cleanup.delete(record, run.access(), run.home(), orphan);
      }
      case DeploymentDecision.Suspend suspend -> {
        record.write(new DeploymentState.Suspended());
        yield ReconcileResult.done();
      }
      case DeploymentDecision.Reject(var reason, var message) -> {
        record.write(new DeploymentState.Rejected(reason, message));
        yield ReconcileResult.done();
      }
      case DeploymentDecision.RollOut rollOut -> route(run);
    };
  }

  private void forget(DeploymentStatusWriter record) {
    for (var kubeconfigRef : settings.routing().allTargets(record.deployment())) {
      rollout.forget(
          clusterOf(kubeconfigRef),
          record.workspace(),
          ReleaseName.ofDeployment(record.workspace()));
    }
  }

  private ReconcileResult route(Run run) throws InterruptedException {
    var kubeconfigRef = settings.routing().desiredTarget(run.deployment());
    if (!isAccepted(run, kubeconfigRef)) {
      return ReconcileResult.done();
    }
    return switch (run.access().availability(kubeconfigRef)) {
      case Availability.Unavailable(var why) -> {
        listener.reconciled(clusterOf(kubeconfigRef), ReconcileMetricsListener.Result.WAITING);
        run.writer().write(new DeploymentState.Unavailable(why));
        yield ReconcileResult.postpone(settings.checkInterval());
      }
      case Availability.Connecting connecting -> {
        run.writer().write(new DeploymentState.Connecting());
        yield ReconcileResult.postpone(
            RequeuePolicy.shorter(CONNECTING_DELAY, settings.checkInterval()));
      }
      case Availability.Available(var cluster) -> {
        try (var permit = run.access().tryAcquire(kubeconfigRef).orElse(null)) {
          yield permit == null
              ? ReconcileResult.postpone(settings.checkInterval())
              : rollOut(run, kubeconfigRef, cluster);
        }
      }
    };
  }

  /** Before anything is created: whatever happens next, deletion will clean it up. */
  private boolean isAccepted(Run run, KubeconfigRef kubeconfigRef) {
    var record = run.writer();
    var deployment = run.deployment();
    var isMarked = deployment.getMetadata().getFinalizers().contains(Finalizers.KRYPTON_DEPLOYMENT);
    var uid = deployment.getMetadata().getUid();
    if (!record.isNew()) {
      marked.remove(uid);
    } else if (isMarked && !marked.contains(uid)) {
      record.routeTo(kubeconfigRef); // An older operator may have rolled it out already.
    }
    // Of an object whose definition keeps no status of ours only this process knows what was told.
    var isTold = !record.isNew() || uid.equals(validated.put(record.holder(), uid));
    if (!record.isNew()) {
      validated.remove(record.holder());
    }
    if (!isTold || record.readyReason().equals(DeploymentReasons.ACCOUNT_MISSING)) {
      var account = deployment.getSpec().account().name();
      record.emit(
          RolloutEventMessage.normal(
              "AccountValidated", "Account %s validated".formatted(account)));
    }
    if (isMarked) {
      return true;
    }
    var written =
        OwnerPatches.addFinalizer(run.home().client(), deployment, Finalizers.KRYPTON_DEPLOYMENT);
    if (written.isEmpty()) {
      return false;
    }
    record.refresh(written.get());
    marked.add(uid);
    record.emit(
        RolloutEventMessage.normal("FinalizerAdded", "Finalizer added for cleanup on delete"));
    return true;
  }

  private ReconcileResult rollOut(Run run, KubeconfigRef kubeconfigRef, TargetCluster cluster)
      throws InterruptedException {
    var record = run.writer();
    var deployment = run.deployment();
    var self = HomeDeployments.ownerOf(deployment);
    var claimants = run.home().claimants(record.workspace(), kubeconfigRef, settings.routing());
    var older =
        NamespaceArbitration.olderClaimant(
            self, claimants, cluster.isNamespaceOwnedBy(self, record.workspace()));
    if (older.isPresent()) {
      var message =
          "namespace %s on %s is wanted by the older %s; delete that object or choose another name"
              .formatted(record.workspace(), record.region(), older.get().reference());
      return complete(
          run,
          kubeconfigRef,
          cluster,
          new RolloutResult.Failed(FailureReason.NAMESPACE_CONFLICT, message));
    }
    var isSame = kubeconfigRef.equals(record.target());
    var remembered = isSame ? record.fingerprint(kubeconfigRef) : null;
    var reported = isSame ? record.reportedRevision(kubeconfigRef) : 0;
    if (!kubeconfigRef.equals(record.target())) {
      record.routeTo(kubeconfigRef);
      record.write(new DeploymentState.Routed());
      record.emit(RolloutEventMessage.normal("Routing", "Routing to region " + record.region()));
    }
    var key = run.request().key();
    var rolloutResult =
        switch (run.home().references().read(key, deployment.getSpec().valuesFrom())) {
          case ReadResult.Invalid(var failureReason, var message) ->
              new RolloutResult.Failed(failureReason, message);
          case ReadResult.Found(var referenced) ->
              rollout.run(
                  desiredRelease(run, valuesOf(deployment, referenced), remembered, reported),
                  cluster,
                  new DeploymentRolloutListener(record));
        };
    return complete(run, kubeconfigRef, cluster, rolloutResult);
  }

  private ChartValues valuesOf(KryptonDeployment deployment, ChartValues referenced) {
    return settings
        .centralValues()
        .mergedWith(referenced)
        .mergedWith(ChartValues.of(deployment.getSpec().values()));
  }

  private DesiredRelease desiredRelease(
      Run run, ChartValues chartValues, @Nullable String remembered, int reported) {
    var reconcileRequest = run.writer().request();
    return new DesiredRelease(
        HomeDeployments.ownerOf(run.deployment()),
        ReleaseName.ofDeployment(run.writer().workspace()),
        run.writer().workspace(),
        chartValues,
        settings.baseValue(),
        remembered,
        reported,
        forcedRuns.isPending(objectKey(run), reconcileRequest),
        reconcileRequest.changed() || reconcileRequest.requested(),
        reconcileRequest.pendingRequest(),
        run.request().failures());
  }

  private static String objectKey(Run run) {
    return run.deployment().getMetadata().getUid();
  }

  private ReconcileResult complete(
      Run run, KubeconfigRef kubeconfigRef, TargetCluster cluster, RolloutResult rolloutResult)
      throws InterruptedException {
    var record = run.writer();
    listener.reconciled(cluster.name(), ReconcileMetricsListener.Result.of(rolloutResult));
    forcedRuns.markHandled(objectKey(run), record.request(), rolloutResult);
    var next = RequeuePolicy.after(rolloutResult, settings.checkInterval());
    switch (rolloutResult) {
      case RolloutResult.Deployed deployed ->
          record.annotateFingerprint(kubeconfigRef, deployed.release());
      case RolloutResult.WorkloadsPending pending ->
          record.annotateFingerprint(kubeconfigRef, pending.release());
      // Nothing to say about the object: the cluster is silent, or our watches have just begun.
      case RolloutResult.ClusterUnreachable clusterUnreachable -> {
        return next;
      }
      case RolloutResult.CachesNotSynced cachesNotSynced -> {
        return next;
      }
      case RolloutResult.WaitingForHelmSlot waiting -> {
        return next;
      }
      case RolloutResult.Waiting blocked -> {}
      case RolloutResult.Failed failed -> {}
      case RolloutResult.InspectionFailed inspectionFailed -> {}
    }
    record.write(new DeploymentState.Settled(rolloutResult, run.request().failures()));
    return rolloutResult instanceof RolloutResult.Deployed && !record.staleTargets().isEmpty()
        ? cleanup.cleanStaleTargets(record, run.access(), cluster, next)
        : next;
  }

  private String clusterOf(KubeconfigRef kubeconfigRef) {
    return settings.routing().clusterOf(kubeconfigRef).value();
  }
}
