package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.controller.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.DesiredRelease;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.HandledRequests;
import io.krypton.operator.release.reconcile.HandledRequests.ForcedRuns;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener.Result;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.tenant.TenantEvents.TenantRolloutListener;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one Tenant on one cluster to what it asks for. */
public final class TenantReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(TenantReconciler.class);
  private static final Duration UNREACHABLE_DELAY = Duration.ofSeconds(5);

  private final TenantController clusters;
  private final Rollout rollout;
  private final TenantCleanup cleanup;
  private final ClusterRefMismatch clusterRefMismatch;
  private final TenantSettings settings;
  private final ReconcileMetricsListener listener;
  private final Clock clock;
  private final ForcedRuns forcedRuns = new ForcedRuns();
  private final HandledRequests handledRequests = new HandledRequests();

  /** Works on whatever clusters the controller has engaged at the time. */
  public TenantReconciler(
      TenantController clusters,
      Rollout rollout,
      TenantCleanup cleanup,
      TenantSettings settings,
      ReconcileMetricsListener listener,
      Clock clock) {
    this.clusters = clusters;
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.clusterRefMismatch =
        new ClusterRefMismatch(clusters::cluster, cleanup, settings.checkInterval());
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public ReconcileResult reconcile(Request request) throws InterruptedException {
    var key = request.key();
    var cluster = clusters.cluster(key.cluster());
    if (cluster == null || !settings.watches(key.namespace())) {
      return ReconcileResult.done();
    }
    var tenant = cluster.tenants().get(key.namespace(), key.name());
    if (tenant.isEmpty()) {
      cluster.references().forget(key);
      handledRequests.forget(TenantStatusWriter.key(key.cluster(), key.namespace(), key.name()));
      return ReconcileResult
          .done(); // The finalizer is the only way to cleanup: this was cleaned up.
    }
    try {
      return reconcile(tenant.get(), cluster, request.failures());
    } catch (KubernetesClientException silent) {
      // Without an answer it is a matter of the cluster, whose breaker counts, not of the Tenant.
      if (silent.getCode() != 0 || Thread.currentThread().isInterrupted()) {
        throw silent;
      }
      log.atDebug().setCause(silent).log("the cluster did not answer");
      listener.reconciled(key.cluster(), Result.WAITING);
      return ReconcileResult.postpone(UNREACHABLE_DELAY);
    }
  }

  /** Nothing is remembered of an object that does not exist, however it went. */
  void onDeleted(Tenant tenant, TenantCluster cluster) {
    var metadata = tenant.getMetadata();
    cluster
        .references()
        .forget(new WorkKey(cluster.name(), metadata.getNamespace(), metadata.getName()));
    forcedRuns.forget(cluster.name() + "/" + metadata.getUid());
    handledRequests.forget(TenantStatusWriter.key(cluster.name(), metadata));
    rollout.forget(
        TenantCluster.ownerOf(tenant),
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(metadata.getName(), cluster.name()));
  }

  void forgetCluster(String cluster) {
    rollout.forgetCluster(cluster);
  }

  private ReconcileResult reconcile(Tenant tenant, TenantCluster cluster, int failures)
      throws InterruptedException {
    var record = new TenantStatusWriter(tenant, cluster, settings, clock, handledRequests);
    var older = cluster.olderClaimant(tenant).orElse(null);
    return switch (TenantDecision.decide(tenant, cluster.name(), settings.reserved(), older)) {
      case TenantDecision.CleanUp(var orphan) -> {
        forget(record, cluster);
        yield withMetrics(record, cleanup.delete(record, cluster, orphan));
      }
      case TenantDecision.Suspend suspend -> {
        record.write(new TenantState.Suspended());
        yield withMetrics(record, ReconcileResult.done());
      }
      case TenantDecision.Skip(var wanted) -> {
        forget(record, cluster);
        yield withMetrics(record, clusterRefMismatch.reconcile(record, cluster, wanted));
      }
      case TenantDecision.Reject(var failureReason, var message) ->
          complete(record, new Failed(failureReason, message), failures);
      case TenantDecision.RollOut(var workspace) -> rollOut(record, cluster, workspace, failures);
    };
  }

  private void forget(TenantStatusWriter record, TenantCluster cluster) {
    var tenant = record.tenant();
    rollout.forget(
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(tenant.getMetadata().getName(), cluster.name()));
  }

  private ReconcileResult withMetrics(TenantStatusWriter record, ReconcileResult reconcileResult) {
    listener.reconciled(
        record.cluster(),
        switch (reconcileResult) {
          case ReconcileResult.Done done -> Result.NOOP;
          case ReconcileResult.RequeueAfter requeue -> Result.WAITING;
          case ReconcileResult.Postpone postpone -> Result.WAITING;
          case ReconcileResult.Retry retry -> Result.ERROR;
        });
    return reconcileResult;
  }

  private ReconcileResult rollOut(
      TenantStatusWriter record, TenantCluster cluster, String workspace, int failures)
      throws InterruptedException {
    var tenant = record.tenant();
    var spec = tenant.getSpec();
    // Before anything is created: whatever happens next, deletion will clean it up.
    var marked = OwnerPatches.addFinalizer(cluster.target().client(), tenant, Finalizers.TENANT);
    if (marked.isEmpty()) {
      return ReconcileResult.done();
    }
    record.refresh(marked.get());
    var readResult = cluster.references().read(record.key(), spec.valuesFrom());
    return switch (readResult) {
      case ReadResult.Invalid(var failureReason, var message) ->
          complete(record, new Failed(failureReason, message), failures);
      case ReadResult.Found(var referenced) -> {
        var chartValues =
            settings
                .centralValues()
                .mergedWith(referenced)
                .mergedWith(ChartValues.of(spec.values()));
        var desiredRelease = desiredRelease(record, cluster, workspace, chartValues, failures);
        yield complete(
            record,
            rollout.run(desiredRelease, cluster.target(), new TenantRolloutListener(record)),
            failures);
      }
    };
  }

  private DesiredRelease desiredRelease(
      TenantStatusWriter record,
      TenantCluster cluster,
      String workspace,
      ChartValues chartValues,
      int failures) {
    var reconcileRequest = record.request();
    return new DesiredRelease(
        TenantCluster.ownerOf(record.tenant()),
        ReleaseName.ofTenant(record.tenant().getMetadata().getName(), cluster.name()),
        workspace,
        chartValues,
        settings.baseValue(),
        record.annotation(Annotations.fingerprint(cluster.name())),
        record.reportedRevision(),
        forcedRuns.isPending(objectKey(record), reconcileRequest),
        reconcileRequest.changed() || reconcileRequest.requested(),
        reconcileRequest.pendingRequest(),
        failures);
  }

  private static String objectKey(TenantStatusWriter record) {
    return record.cluster() + "/" + record.tenant().getMetadata().getUid();
  }

  private ReconcileResult complete(
      TenantStatusWriter record, RolloutResult rolloutResult, int failures) {
    listener.reconciled(record.cluster(), Result.of(rolloutResult));
    forcedRuns.markHandled(objectKey(record), record.request(), rolloutResult);
    switch (rolloutResult) {
      case RolloutResult.Deployed(var change, var release) -> {
        record.annotateFingerprint(release);
        if (change == RolloutResult.Change.CONFIRMED) {
          record.emit(RolloutEventMessage.normal("HelmSkip", "fingerprint unchanged"));
        }
      }
      case RolloutResult.WorkloadsPending pending -> record.annotateFingerprint(pending.release());
      // Nothing to say about the Tenant: the cluster is silent, or our own watches have just begun.
      case RolloutResult.ClusterUnreachable clusterUnreachable -> {
        return RequeuePolicy.after(rolloutResult, settings.checkInterval());
      }
      case RolloutResult.CachesNotSynced cachesNotSynced -> {
        return RequeuePolicy.after(rolloutResult, settings.checkInterval());
      }
      case RolloutResult.WaitingForHelmSlot waiting -> {
        return RequeuePolicy.after(rolloutResult, settings.checkInterval());
      }
      case RolloutResult.Waiting blocked -> {}
      case RolloutResult.Failed failed -> {}
      case RolloutResult.InspectionFailed inspectionFailed -> {}
    }
    record.write(new TenantState.Settled(rolloutResult, failures));
    return RequeuePolicy.after(rolloutResult, settings.checkInterval());
  }
}
