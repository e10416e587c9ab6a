// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.event.EventReason;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.operator.release.RevisionSource;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.Rollout.DesiredRelease;
import io.krypton.operator.release.Rollout.DesiredRelease.Content;
import io.krypton.operator.release.Rollout.DesiredRelease.LastSuccess;
import io.krypton.operator.release.Rollout.DesiredRelease.RunRequest;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.HandledRequests.ForcedRuns;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.OwnerQueue;
import io.krypton.operator.release.reconcile.OwnerWriter.Memory;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener.Result;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import io.krypton.operator.tenant.TenantEvents.TenantRolloutListener;
import java.time.Clock;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one Tenant on one cluster to what it asks for. */
public final class TenantReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(TenantReconciler.class);

  private final TenantController clusters;
  private final RevisionSource revisions;
  private final Rollout rollout;
  private final TenantCleanup cleanup;
  private final ClusterRefMismatch clusterRefMismatch;
  private final TenantSettings settings;
  private final ReconcileMetricsListener listener;
  private final Clock clock;
  private final Executor afterDelay;
  private final ForcedRuns forcedRuns = new ForcedRuns();
  private final Memory<Tenant> memory = new Memory<>();

  /**
   * Works on whatever clusters the controller has engaged at the time.
   *
   * @param afterDelay runs a task some time later, for what is said of a step that lasts
   */
  public TenantReconciler(
      TenantController clusters,
      RevisionSource revisions,
      Rollout rollout,
      TenantCleanup cleanup,
      TenantSettings settings,
      ReconcileMetricsListener listener,
      Clock clock,
      Executor afterDelay) {
    this.clusters = clusters;
    this.revisions = revisions;
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.clusterRefMismatch =
        new ClusterRefMismatch(clusters::cluster, cleanup, settings.checkInterval());
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
    this.afterDelay = afterDelay;
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
      memory.forget(key.toString());
      return ReconcileResult.done(); // The finalizer is gone, so the cleanup is done.
    }
    try {
      var newest = memory.writes().newest(key.toString(), tenant.get());
      return reconcile(newest, cluster, request.failures());
    } catch (KubernetesClientException failure) {
      if (!RequeuePolicy.isNoAnswer(failure)) {
        throw failure;
      }
      log.atDebug().setCause(failure).log("cluster did not answer");
      listener.reconciled(key.cluster(), Result.WAITING);
      return RequeuePolicy.afterNoAnswer();
    }
  }

  /** Forgets an object that does not exist any more, with or without cleanup. */
  void onDeleted(Tenant tenant, TenantCluster cluster) {
    var metadata = tenant.getMetadata();
    var key = OwnerQueue.key(cluster.name(), tenant);
    cluster.references().forget(key);
    forcedRuns.forget(cluster.name() + "/" + metadata.getUid());
    memory.forget(key.toString());
    rollout.forget(
        TenantCluster.ownerOf(tenant),
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(metadata.getName(), cluster.name()));
  }

  /** Whether Tenants in this namespace are looked after. */
  boolean watches(String namespace) {
    return settings.watches(namespace);
  }

  void forgetCluster(String cluster) {
    rollout.forgetCluster(cluster);
    cleanup.forgetCluster(cluster);
  }

  private ReconcileResult reconcile(Tenant tenant, TenantCluster cluster, int failures)
      throws InterruptedException {
    var writer = new TenantStatusWriter(tenant, cluster, settings, clock, memory, afterDelay);
    var older = cluster.olderClaimant(tenant).orElse(null);
    return switch (TenantDecision.decide(tenant, cluster.name(), settings.reserved(), older)) {
      case TenantDecision.CleanUp(var orphan) -> {
        forget(writer, cluster);
        yield withMetrics(writer, cleanup.delete(writer, cluster, orphan));
      }
      case TenantDecision.Suspend suspend -> {
        writer.write(new TenantState.Suspended());
        yield withMetrics(writer, ReconcileResult.done());
      }
      case TenantDecision.Skip(var wanted) -> {
        forget(writer, cluster);
        yield withMetrics(writer, clusterRefMismatch.reconcile(writer, cluster, wanted));
      }
      case TenantDecision.Reject(var failureReason, var message) ->
          complete(writer, new Failed(failureReason, message), failures);
      case TenantDecision.RollOut(var workspace) -> rollOut(writer, cluster, workspace, failures);
    };
  }

  private void forget(TenantStatusWriter writer, TenantCluster cluster) {
    var tenant = writer.tenant();
    rollout.forget(
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(tenant.getMetadata().getName(), cluster.name()));
  }

  private ReconcileResult withMetrics(TenantStatusWriter writer, ReconcileResult reconcileResult) {
    listener.reconciled(
        writer.cluster(),
        switch (reconcileResult) {
          case ReconcileResult.Done done -> Result.NOOP;
          case ReconcileResult.RequeueAfter requeue -> Result.WAITING;
          case ReconcileResult.Postpone postpone -> Result.WAITING;
          case ReconcileResult.Retry retry -> Result.ERROR;
        });
    return reconcileResult;
  }

  private ReconcileResult rollOut(
      TenantStatusWriter writer, TenantCluster cluster, String workspace, int failures)
      throws InterruptedException {
    var tenant = writer.tenant();
    var assignment = revisions.revisionFor(() -> cluster.observe(tenant));
    if (assignment.isEmpty()) {
      return withMetrics(writer, ReconcileResult.postpone(settings.checkInterval()));
    }
    writer.assign(assignment.get());
    // Before anything is created: whatever happens next, deletion will clean it up.
    var marked = OwnerPatches.addFinalizer(cluster.target().client(), tenant, Finalizers.TENANT);
    if (marked.isEmpty()) {
      return ReconcileResult.done();
    }
    writer.owner().refresh(marked.get());
    var result =
        assignment.get().carryOut(revision -> run(writer, cluster, workspace, revision, failures));
    return complete(writer, result, failures);
  }

  private RolloutResult run(
      TenantStatusWriter writer,
      TenantCluster cluster,
      String workspace,
      ReleaseRevision revision,
      int failures)
      throws InterruptedException {
    var spec = writer.tenant().getSpec();
    return switch (cluster.references().read(writer.key(), spec.valuesFrom())) {
      case ReadResult.Invalid(var failureReason, var message) -> new Failed(failureReason, message);
      case ReadResult.Found(var referenced) -> {
        var values =
            revision
                .centralValues()
                .mergedWith(referenced)
                .mergedWith(ChartValues.of(spec.values()));
        yield rollout.run(
            desiredRelease(
                writer,
                cluster,
                workspace,
                new Content(revision, values, settings.baseValue()),
                failures),
            cluster.target(),
            new TenantRolloutListener(writer));
      }
    };
  }

  private DesiredRelease desiredRelease(
      TenantStatusWriter writer,
      TenantCluster cluster,
      String workspace,
      Content content,
      int failures) {
    var reconcileRequest = writer.owner().request();
    return new DesiredRelease(
        TenantCluster.ownerOf(writer.tenant()),
        ReleaseName.ofTenant(writer.tenant().getMetadata().getName(), cluster.name()),
        workspace,
        content,
        new LastSuccess(
            writer.owner().annotation(Annotations.fingerprint(cluster.name())),
            writer.reportedRevision()),
        new RunRequest(
            forcedRuns.isPending(objectKey(writer), reconcileRequest),
            reconcileRequest.changed() || reconcileRequest.requested(),
            reconcileRequest.pendingRequest(),
            failures));
  }

  private static String objectKey(TenantStatusWriter writer) {
    return writer.cluster() + "/" + writer.tenant().getMetadata().getUid();
  }

  private ReconcileResult complete(
      TenantStatusWriter writer, RolloutResult rolloutResult, int failures) {
    listener.reconciled(writer.cluster(), Result.of(rolloutResult));
    forcedRuns.markHandled(objectKey(writer), writer.owner().request(), rolloutResult);
    if (rolloutResult.isAboutOwner()) {
      rolloutResult.appliedRelease().ifPresent(writer::annotateFingerprint);
      if (rolloutResult instanceof RolloutResult.Deployed(var change, var release)
          && change == RolloutResult.Change.CONFIRMED) {
        writer
            .owner()
            .emit(new RolloutEventMessage(EventReason.HELM_SKIP, "fingerprint unchanged"));
      }
      writer.write(new TenantState.Settled(rolloutResult, failures));
    } else {
      writer.progress().writePending();
    }
    return RequeuePolicy.after(rolloutResult, settings.checkInterval());
  }
}
