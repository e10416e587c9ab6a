package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.Finalizers;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Request;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.ForcedRuns;
import io.krypton.operator.rollout.Intent;
import io.krypton.operator.rollout.NextLook;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.ReferencedValues.Read;
import io.krypton.operator.rollout.Rollout;
import io.krypton.operator.rollout.RunListener;
import io.krypton.operator.rollout.RunListener.Result;
import io.krypton.operator.rollout.SettledRequests;
import io.krypton.operator.rollout.Situation;
import io.krypton.operator.rollout.Situation.Failed;
import io.krypton.operator.rollout.Words;
import io.krypton.operator.values.Values;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one Tenant on one cluster to what it asks for. */
public final class TenantReconciler implements Reconciler {
  private static final Logger log = LoggerFactory.getLogger(TenantReconciler.class);
  private static final Duration OUT_OF_REACH_PAUSE = Duration.ofSeconds(5);

  private final TenantController clusters;
  private final Rollout rollout;
  private final TenantCleanup cleanup;
  private final TenantSkip skip;
  private final TenantSettings settings;
  private final RunListener listener;
  private final Clock clock;
  private final ForcedRuns forcedRuns = new ForcedRuns();
  private final SettledRequests settled = new SettledRequests();

  /** Works on whatever clusters the controller has engaged at the time. */
  public TenantReconciler(
      TenantController clusters,
      Rollout rollout,
      TenantCleanup cleanup,
      TenantSettings settings,
      RunListener listener,
      Clock clock) {
    this.clusters = clusters;
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.skip = new TenantSkip(clusters::cluster, cleanup, settings.checkInterval());
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
  }

  @Override
  public Outcome reconcile(Request request) throws InterruptedException {
    var key = request.key();
    var cluster = clusters.cluster(key.cluster());
    if (cluster == null || !settings.watches(key.namespace())) {
      return Outcome.done();
    }
    var tenant = cluster.tenants().get(key.namespace(), key.name());
    if (tenant.isEmpty()) {
      cluster.references().forget(key);
      settled.forget(TenantRecord.key(key.cluster(), key.namespace(), key.name()));
      return Outcome.done(); // The finalizer is the only way to cleanup: this was cleaned up.
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
      return Outcome.postpone(OUT_OF_REACH_PAUSE);
    }
  }

  /** Nothing is remembered of an object that does not exist, however it went. */
  void vanished(Tenant tenant, TenantCluster cluster) {
    var metadata = tenant.getMetadata();
    cluster
        .references()
        .forget(new WorkKey(cluster.name(), metadata.getNamespace(), metadata.getName()));
    forcedRuns.forget(cluster.name() + "/" + metadata.getUid());
    settled.forget(TenantRecord.key(cluster.name(), metadata));
    rollout.forget(
        TenantCluster.ownerOf(tenant),
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(metadata.getName(), cluster.name()));
  }

  void forgetCluster(String cluster) {
    rollout.forgetCluster(cluster);
  }

  private Outcome reconcile(Tenant tenant, TenantCluster cluster, int failures)
      throws InterruptedException {
    var record = new TenantRecord(tenant, cluster, settings, clock, settled);
    var older = cluster.olderClaimant(tenant).orElse(null);
    return switch (TenantPlan.of(tenant, cluster.name(), settings.reserved(), older)) {
      case TenantPlan.CleanUp(var orphan) -> {
        forget(record, cluster);
        yield counted(record, cleanup.delete(record, cluster, orphan));
      }
      case TenantPlan.Rest rest -> {
        record.report(new TenantState.Suspended());
        yield counted(record, Outcome.done());
      }
      case TenantPlan.Skip(var wanted) -> {
        forget(record, cluster);
        yield counted(record, skip.run(record, cluster, wanted));
      }
      case TenantPlan.Refuse(var problem, var message) ->
          settle(record, new Failed(problem, message), failures);
      case TenantPlan.RollOut(var workspace) -> rollOut(record, cluster, workspace, failures);
    };
  }

  private void forget(TenantRecord record, TenantCluster cluster) {
    var tenant = record.tenant();
    rollout.forget(
        cluster.name(),
        TenantCluster.workspaceOf(tenant),
        ReleaseName.ofTenant(tenant.getMetadata().getName(), cluster.name()));
  }

  private Outcome counted(TenantRecord record, Outcome outcome) {
    listener.reconciled(
        record.cluster(),
        switch (outcome) {
          case Outcome.Done done -> Result.NOOP;
          case Outcome.RequeueAfter requeue -> Result.WAITING;
          case Outcome.Postpone postpone -> Result.WAITING;
          case Outcome.Retry retry -> Result.ERROR;
        });
    return outcome;
  }

  private Outcome rollOut(
      TenantRecord record, TenantCluster cluster, String workspace, int failures)
      throws InterruptedException {
    var tenant = record.tenant();
    var spec = tenant.getSpec();
    // Before anything is created: whatever happens next, deletion will clean it up.
    var marked = OwnerPatches.addFinalizer(cluster.target().client(), tenant, Finalizers.TENANT);
    if (marked.isEmpty()) {
      return Outcome.done();
    }
    record.adopt(marked.get());
    var read = cluster.references().read(record.key(), spec.valuesFrom());
    return switch (read) {
      case Read.Wrong(var problem, var message) ->
          settle(record, new Failed(problem, message), failures);
      case Read.Found(var referenced) -> {
        var values =
            settings
                .centralValues()
                .overriddenBy(referenced)
                .overriddenBy(Values.of(spec.values()));
        var intent = intent(record, cluster, workspace, values, failures);
        yield settle(
            record, rollout.run(intent, cluster.target(), new TenantJournal(record)), failures);
      }
    };
  }

  private Intent intent(
      TenantRecord record, TenantCluster cluster, String workspace, Values values, int failures) {
    var asked = record.asked();
    return new Intent(
        TenantCluster.ownerOf(record.tenant()),
        ReleaseName.ofTenant(record.tenant().getMetadata().getName(), cluster.name()),
        workspace,
        values,
        settings.baseValue(),
        record.annotation(Annotations.fingerprint(cluster.name())),
        record.reportedRevision(),
        forcedRuns.isOwed(objectOf(record), asked),
        asked.changed() || asked.requested(),
        asked.request(),
        failures);
  }

  private static String objectOf(TenantRecord record) {
    return record.cluster() + "/" + record.tenant().getMetadata().getUid();
  }

  private Outcome settle(TenantRecord record, Situation situation, int failures) {
    listener.reconciled(record.cluster(), Result.of(situation));
    forcedRuns.settled(objectOf(record), record.asked(), situation);
    switch (situation) {
      case Situation.Deployed(var change, var release) -> {
        record.remember(release);
        if (change == Situation.Change.CONFIRMED) {
          record.announce(Words.normal("HelmSkip", "fingerprint unchanged"));
        }
      }
      case Situation.WorkloadsPending pending -> record.remember(pending.release());
      // Nothing to say about the Tenant: the cluster is silent, or our own watches have just begun.
      case Situation.OutOfReach outOfReach -> {
        return NextLook.after(situation, settings.checkInterval());
      }
      case Situation.StillLooking stillLooking -> {
        return NextLook.after(situation, settings.checkInterval());
      }
      case Situation.WaitingForTurn waiting -> {
        return NextLook.after(situation, settings.checkInterval());
      }
      case Situation.Blocked blocked -> {}
      case Situation.Failed failed -> {}
      case Situation.Unchecked unchecked -> {}
    }
    record.report(new TenantState.Settled(situation, failures));
    return NextLook.after(situation, settings.checkInterval());
  }
}
