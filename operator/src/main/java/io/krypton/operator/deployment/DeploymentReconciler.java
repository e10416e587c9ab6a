// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.event.EventReason;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.operator.deployment.DeploymentEvents.DeploymentRolloutListener;
import io.krypton.operator.deployment.RegionAccess.RegionConcurrency;
import io.krypton.operator.deployment.RegionClusters.Availability;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.namespace.NamespaceArbitration;
import io.krypton.operator.release.RevisionSource;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.Rollout.DesiredRelease;
import io.krypton.operator.release.Rollout.DesiredRelease.Content;
import io.krypton.operator.release.Rollout.DesiredRelease.LastSuccess;
import io.krypton.operator.release.Rollout.DesiredRelease.RunRequest;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.HandledRequests.ForcedRuns;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.OwnerWriter.Memory;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one deployment on home to what it asks for on the cluster of its region. */
public final class DeploymentReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(DeploymentReconciler.class);
  private static final Duration CONNECTING_DELAY = Duration.ofSeconds(5);

  private final DeploymentController controller;
  private final RegionClusters regionClusters;
  private final RegionConcurrency concurrency;
  private final RevisionSource revisions;
  private final Rollout rollout;
  private final DeploymentCleanup cleanup;
  private final DeploymentSettings settings;
  private final ReconcileMetricsListener listener;
  private final Clock clock;
  private final Executor afterDelay;
  private final ForcedRuns forcedRuns = new ForcedRuns();

  /** Marked by this process: the cache may show our finalizer before it shows our status. */
  private final Set<String> marked = ConcurrentHashMap.newKeySet();

  private final Map<String, String> validated = new ConcurrentHashMap<>();
  private final Memory<KryptonDeployment> memory = new Memory<>();

  /**
   * Works on whatever home the controller has at the time.
   *
   * @param afterDelay runs a task some time later, for what is said of a step that lasts
   */
  public DeploymentReconciler(
      DeploymentController controller,
      RegionClusters regionClusters,
      RevisionSource revisions,
      Rollout rollout,
      DeploymentCleanup cleanup,
      DeploymentSettings settings,
      ReconcileMetricsListener listener,
      Clock clock,
      Executor afterDelay) {
    this.controller = controller;
    this.regionClusters = regionClusters;
    this.concurrency = new RegionConcurrency(settings.runs(), controller::enqueue);
    this.revisions = revisions;
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
    this.afterDelay = afterDelay;
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
    var holder = key.namespace() + "/" + key.name();
    var deployment = homeDeployments.deployments().get(key.namespace(), key.name());
    if (deployment.isEmpty()) {
      regionClusters.hold(holder, Set.of());
      homeDeployments.references().forget(key);
      memory.forget(holder);
      validated.remove(holder);
      return ReconcileResult.done(); // The finalizer is gone, so the cleanup is done.
    }
    var writer =
        new DeploymentStatusWriter(
            memory.writes().newest(holder, deployment.get()),
            homeDeployments,
            settings,
            clock,
            memory,
            afterDelay);
    var access =
        new RegionAccess(
            regionClusters,
            homeDeployments,
            settings.routing(),
            controller,
            writer,
            secret -> concurrency.tryAcquire(secret, key));
    access.hold();
    try {
      return reconcile(new Run(request, writer, access, homeDeployments));
    } catch (KubernetesClientException failure) {
      if (!RequeuePolicy.isNoAnswer(failure)) {
        throw failure;
      }
      log.atDebug().setCause(failure).log("cluster did not answer");
      return RequeuePolicy.afterNoAnswer();
    }
  }

  /** Forgets an object that does not exist any more, with or without cleanup. */
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
    cleanup.forgetCluster(cluster);
  }

  private ReconcileResult reconcile(Run run) throws InterruptedException {
    var writer = run.writer();
    return switch (DeploymentDecision.decide(run.deployment(), settings.reserved())) {
      case DeploymentDecision.CleanUp(var orphan) -> {
        forget(writer);
        yield cleanup.delete(writer, run.access(), run.home(), orphan);
      }
      case DeploymentDecision.Suspend suspend -> {
        writer.write(new DeploymentState.Suspended());
        yield ReconcileResult.done();
      }
      case DeploymentDecision.Reject(var reason, var message) -> {
        writer.write(new DeploymentState.Rejected(reason, message));
        yield ReconcileResult.done();
      }
      case DeploymentDecision.RollOut rollOut -> route(run);
    };
  }

  private void forget(DeploymentStatusWriter writer) {
    for (var kubeconfigRef : settings.routing().allTargets(writer.deployment())) {
      rollout.forget(
          clusterOf(kubeconfigRef),
          writer.workspace(),
          ReleaseName.ofDeployment(writer.workspace()));
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
    var writer = run.writer();
    var deployment = run.deployment();
    var isMarked = deployment.getMetadata().getFinalizers().contains(Finalizers.KRYPTON_DEPLOYMENT);
    var uid = deployment.getMetadata().getUid();
    if (!writer.isNew()) {
      marked.remove(uid);
    } else if (isMarked && !marked.contains(uid)) {
      writer.routeTo(kubeconfigRef); // An older operator may have rolled it out already.
    }
    // Where an older definition prunes our status, only this process knows what was announced.
    var isAnnounced = !writer.isNew() || uid.equals(validated.put(writer.holder(), uid));
    if (!writer.isNew()) {
      validated.remove(writer.holder());
    }
    if (!isAnnounced || writer.readyReason().equals(DeploymentReasons.ACCOUNT_MISSING)) {
      var account = deployment.getSpec().account().name();
      writer
          .owner()
          .emit(
              new RolloutEventMessage(
                  EventReason.ACCOUNT_VALIDATED, "Account %s validated".formatted(account)));
    }
    if (isMarked) {
      return true;
    }
    var written =
        OwnerPatches.addFinalizer(run.home().client(), deployment, Finalizers.KRYPTON_DEPLOYMENT);
    if (written.isEmpty()) {
      return false;
    }
    writer.owner().refresh(written.get());
    marked.add(uid);
    writer
        .owner()
        .emit(
            new RolloutEventMessage(
                EventReason.FINALIZER_ADDED, "Finalizer added for cleanup on delete"));
    return true;
  }

  private ReconcileResult rollOut(Run run, KubeconfigRef kubeconfigRef, TargetCluster cluster)
      throws InterruptedException {
    var writer = run.writer();
    var deployment = run.deployment();
    var self = HomeDeployments.ownerOf(deployment);
    var assignment = revisions.revisionFor(() -> controller.observe(deployment));
    if (assignment.isEmpty()) {
      listener.reconciled(cluster.name(), ReconcileMetricsListener.Result.WAITING);
      return ReconcileResult.postpone(settings.checkInterval());
    }
    writer.assign(assignment.get());
    var claimants = run.home().claimants(writer.workspace(), kubeconfigRef, settings.routing());
    var older =
        NamespaceArbitration.olderClaimant(
            self, claimants, cluster.isNamespaceOwnedBy(self, writer.workspace()));
    if (older.isPresent()) {
      var message =
          "namespace %s on %s is wanted by the older %s; delete that object or choose another name"
              .formatted(writer.workspace(), writer.region(), older.get().reference());
      return complete(
          run,
          kubeconfigRef,
          cluster,
          new RolloutResult.Failed(FailureReason.NAMESPACE_CONFLICT, message));
    }
    var isSame = kubeconfigRef.equals(writer.target());
    var last =
        isSame
            ? new LastSuccess(
                writer.fingerprint(kubeconfigRef), writer.reportedRevision(kubeconfigRef))
            : LastSuccess.NONE;
    if (!kubeconfigRef.equals(writer.target())) {
      writer.routeTo(kubeconfigRef);
      writer.write(new DeploymentState.Routed());
      writer
          .owner()
          .emit(
              new RolloutEventMessage(EventReason.ROUTING, "Routing to region " + writer.region()));
    }
    var result = assignment.get().carryOut(revision -> rollOut(run, cluster, revision, last));
    return complete(run, kubeconfigRef, cluster, result);
  }

  private RolloutResult rollOut(
      Run run, TargetCluster cluster, ReleaseRevision revision, LastSuccess last)
      throws InterruptedException {
    var spec = run.deployment().getSpec();
    return switch (run.home().references().read(run.request().key(), spec.valuesFrom())) {
      case ReadResult.Invalid(var failureReason, var message) ->
          new RolloutResult.Failed(failureReason, message);
      case ReadResult.Found(var referenced) -> {
        var values =
            revision
                .centralValues()
                .mergedWith(referenced)
                .mergedWith(ChartValues.of(spec.values()));
        var content = new Content(revision, values, settings.baseValue());
        yield rollout.run(
            desiredRelease(run, content, last),
            cluster,
            new DeploymentRolloutListener(run.writer()));
      }
    };
  }

  private DesiredRelease desiredRelease(Run run, Content content, LastSuccess last) {
    var reconcileRequest = run.writer().owner().request();
    return new DesiredRelease(
        HomeDeployments.ownerOf(run.deployment()),
        ReleaseName.ofDeployment(run.writer().workspace()),
        run.writer().workspace(),
        content,
        last,
        new RunRequest(
            forcedRuns.isPending(objectKey(run), reconcileRequest),
            reconcileRequest.changed() || reconcileRequest.requested(),
            reconcileRequest.pendingRequest(),
            run.request().failures()));
  }

  private static String objectKey(Run run) {
    return run.deployment().getMetadata().getUid();
  }

  private ReconcileResult complete(
      Run run, KubeconfigRef kubeconfigRef, TargetCluster cluster, RolloutResult rolloutResult)
      throws InterruptedException {
    var writer = run.writer();
    listener.reconciled(cluster.name(), ReconcileMetricsListener.Result.of(rolloutResult));
    forcedRuns.markHandled(objectKey(run), writer.owner().request(), rolloutResult);
    var next = RequeuePolicy.after(rolloutResult, settings.checkInterval());
    if (!rolloutResult.isAboutOwner()) {
      writer.progress().writePending();
      return next;
    }
    rolloutResult
        .appliedRelease()
        .ifPresent(release -> writer.annotateFingerprint(kubeconfigRef, release));
    writer.write(new DeploymentState.Settled(rolloutResult, run.request().failures()));
    return rolloutResult.isReady() && !writer.staleTargets().isEmpty()
        ? cleanup.cleanStaleTargets(writer, run.access(), cluster, next)
        : next;
  }

  private String clusterOf(KubeconfigRef kubeconfigRef) {
    return settings.routing().clusterOf(kubeconfigRef).value();
  }
}
