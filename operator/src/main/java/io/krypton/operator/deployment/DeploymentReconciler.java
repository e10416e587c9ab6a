package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Finalizers;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.controller.Request;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Claims;
import io.krypton.operator.rollout.ForcedRuns;
import io.krypton.operator.rollout.Intent;
import io.krypton.operator.rollout.NextLook;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.Problem;
import io.krypton.operator.rollout.ReferencedValues.Read;
import io.krypton.operator.rollout.Rollout;
import io.krypton.operator.rollout.RunListener;
import io.krypton.operator.rollout.SettledRequests;
import io.krypton.operator.rollout.Situation;
import io.krypton.operator.rollout.TargetCluster;
import io.krypton.operator.rollout.Words;
import io.krypton.operator.values.Values;
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
  private static final Duration OPENING_PAUSE = Duration.ofSeconds(5);

  private final DeploymentController controller;
  private final Edges edges;
  private final EdgeTurns turns;
  private final Rollout rollout;
  private final DeploymentCleanup cleanup;
  private final DeploymentSettings settings;
  private final RunListener listener;
  private final Clock clock;
  private final ForcedRuns forcedRuns = new ForcedRuns();

  /** Marked by this process: the cache may show our finalizer before it shows our status. */
  private final Set<String> marked = ConcurrentHashMap.newKeySet();

  private final Map<String, String> validated = new ConcurrentHashMap<>();
  private final SettledRequests settled = new SettledRequests();

  /** Works on whatever home the controller has at the time. */
  public DeploymentReconciler(
      DeploymentController controller,
      Edges edges,
      Rollout rollout,
      DeploymentCleanup cleanup,
      DeploymentSettings settings,
      RunListener listener,
      Clock clock) {
    this.controller = controller;
    this.edges = edges;
    this.turns = new EdgeTurns(settings.runs(), controller::wake);
    this.rollout = rollout;
    this.cleanup = cleanup;
    this.settings = settings;
    this.listener = listener;
    this.clock = clock;
  }

  /** One run about one deployment. */
  private record Run(Request request, DeploymentRecord record, EdgeSight sight, Home home) {
    KryptonDeployment deployment() {
      return record.deployment();
    }
  }

  @Override
  public Outcome reconcile(Request request) throws InterruptedException {
    var key = request.key();
    var home = controller.home();
    if (home == null || !settings.watches(key.namespace())) {
      return Outcome.done();
    }
    var deployment = home.deployments().get(key.namespace(), key.name());
    if (deployment.isEmpty()) {
      edges.hold(key.namespace() + "/" + key.name(), Set.of());
      home.references().forget(key);
      settled.forget(key.namespace() + "/" + key.name());
      validated.remove(key.namespace() + "/" + key.name());
      return Outcome.done(); // The finalizer is the only way to cleanup.
    }
    var record = new DeploymentRecord(deployment.get(), home, settings, clock, settled);
    var sight =
        new EdgeSight(
            edges, home, settings.routing(), controller, record, secret -> turns.take(secret, key));
    sight.hold();
    try {
      return reconcile(new Run(request, record, sight, home));
    } catch (KubernetesClientException silent) {
      // Without an answer it is a matter of the cluster, whose breaker counts, not of the object.
      if (silent.getCode() != 0 || Thread.currentThread().isInterrupted()) {
        throw silent;
      }
      log.atDebug().setCause(silent).log("a cluster did not answer");
      return Outcome.postpone(OPENING_PAUSE);
    }
  }

  /** Nothing is remembered of an object that does not exist, however it went. */
  void vanished(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    forcedRuns.forget(metadata.getUid());
    marked.remove(metadata.getUid());
    for (var target : settings.routing().all(deployment)) {
      rollout.forget(
          Home.ownerOf(deployment),
          clusterOf(target),
          metadata.getName(),
          ReleaseName.ofDeployment(metadata.getName()));
    }
  }

  void forgetCluster(String cluster) {
    rollout.forgetCluster(cluster);
  }

  private Outcome reconcile(Run run) throws InterruptedException {
    var record = run.record();
    return switch (DeploymentPlan.of(run.deployment(), settings.reserved())) {
      case DeploymentPlan.CleanUp(var orphan) -> {
        forget(record);
        yield cleanup.delete(record, run.sight(), run.home(), orphan);
      }
      case DeploymentPlan.Rest rest -> {
        record.report(new DeploymentState.Suspended());
        yield Outcome.done();
      }
      case DeploymentPlan.Refuse(var reason, var message) -> {
        record.report(new DeploymentState.Refused(reason, message));
        yield Outcome.done();
      }
      case DeploymentPlan.RollOut rollOut -> route(run);
    };
  }

  private void forget(DeploymentRecord record) {
    for (var target : settings.routing().all(record.deployment())) {
      rollout.forget(
          clusterOf(target), record.workspace(), ReleaseName.ofDeployment(record.workspace()));
    }
  }

  private Outcome route(Run run) throws InterruptedException {
    var target = settings.routing().target(run.deployment());
    if (!isAccepted(run, target)) {
      return Outcome.done();
    }
    return switch (run.sight().look(target)) {
      case Edge.Unavailable(var why) -> {
        listener.reconciled(clusterOf(target), RunListener.Result.WAITING);
        run.record().report(new DeploymentState.Unavailable(why));
        yield Outcome.postpone(settings.checkInterval());
      }
      case Edge.Opening opening -> {
        run.record().report(new DeploymentState.Connecting());
        yield Outcome.postpone(NextLook.sooner(OPENING_PAUSE, settings.checkInterval()));
      }
      case Edge.Usable(var cluster) -> {
        try (var turn = run.sight().turn(target).orElse(null)) {
          yield turn == null
              ? Outcome.postpone(settings.checkInterval())
              : rollOut(run, target, cluster);
        }
      }
    };
  }

  /** Before anything is created: whatever happens next, deletion will clean it up. */
  private boolean isAccepted(Run run, Target target) {
    var record = run.record();
    var deployment = run.deployment();
    var isMarked = deployment.getMetadata().getFinalizers().contains(Finalizers.KRYPTON_DEPLOYMENT);
    var uid = deployment.getMetadata().getUid();
    if (!record.isNew()) {
      marked.remove(uid);
    } else if (isMarked && !marked.contains(uid)) {
      record.routeTo(target); // An older operator may have rolled it out already.
    }
    // Of an object whose definition keeps no status of ours only this process knows what was told.
    var isTold = !record.isNew() || uid.equals(validated.put(record.holder(), uid));
    if (!record.isNew()) {
      validated.remove(record.holder());
    }
    if (!isTold || record.reason().equals(DeploymentReasons.ACCOUNT_MISSING)) {
      var account = deployment.getSpec().account().name();
      record.announce(Words.normal("AccountValidated", "Account %s validated".formatted(account)));
    }
    if (isMarked) {
      return true;
    }
    var written =
        OwnerPatches.addFinalizer(run.home().client(), deployment, Finalizers.KRYPTON_DEPLOYMENT);
    if (written.isEmpty()) {
      return false;
    }
    record.adopt(written.get());
    marked.add(uid);
    record.announce(Words.normal("FinalizerAdded", "Finalizer added for cleanup on delete"));
    return true;
  }

  private Outcome rollOut(Run run, Target target, TargetCluster cluster)
      throws InterruptedException {
    var record = run.record();
    var deployment = run.deployment();
    var self = Home.ownerOf(deployment);
    var claimants = run.home().claimants(record.workspace(), target, settings.routing());
    var older = Claims.ahead(self, claimants, cluster.isHeldBy(self, record.workspace()));
    if (older.isPresent()) {
      var message =
          "namespace %s on %s is wanted by the older %s; delete that object or choose another name"
              .formatted(record.workspace(), record.region(), older.get().reference());
      return settle(
          run, target, cluster, new Situation.Failed(Problem.NAMESPACE_CONFLICT, message));
    }
    var isSame = target.equals(record.target());
    var remembered = isSame ? record.remembered(target) : null;
    var reported = isSame ? record.reportedRevision(target) : 0;
    if (!target.equals(record.target())) {
      record.routeTo(target);
      record.report(new DeploymentState.Routed());
      record.announce(Words.normal("Routing", "Routing to region " + record.region()));
    }
    var key = run.request().key();
    var situation =
        switch (run.home().references().read(key, deployment.getSpec().valuesFrom())) {
          case Read.Wrong(var problem, var message) -> new Situation.Failed(problem, message);
          case Read.Found(var referenced) ->
              rollout.run(
                  intent(run, valuesOf(deployment, referenced), remembered, reported),
                  cluster,
                  new DeploymentJournal(record));
        };
    return settle(run, target, cluster, situation);
  }

  private Values valuesOf(KryptonDeployment deployment, Values referenced) {
    return settings
        .centralValues()
        .overriddenBy(referenced)
        .overriddenBy(Values.of(deployment.getSpec().values()));
  }

  private Intent intent(Run run, Values values, @Nullable String remembered, int reported) {
    var asked = run.record().asked();
    return new Intent(
        Home.ownerOf(run.deployment()),
        ReleaseName.ofDeployment(run.record().workspace()),
        run.record().workspace(),
        values,
        settings.baseValue(),
        remembered,
        reported,
        forcedRuns.isOwed(objectOf(run), asked),
        asked.changed() || asked.requested(),
        asked.request(),
        run.request().failures());
  }

  private static String objectOf(Run run) {
    return run.deployment().getMetadata().getUid();
  }

  private Outcome settle(Run run, Target target, TargetCluster cluster, Situation situation)
      throws InterruptedException {
    var record = run.record();
    listener.reconciled(cluster.name(), RunListener.Result.of(situation));
    forcedRuns.settled(objectOf(run), record.asked(), situation);
    var next = NextLook.after(situation, settings.checkInterval());
    switch (situation) {
      case Situation.Deployed deployed -> record.remember(target, deployed.release());
      case Situation.WorkloadsPending pending -> record.remember(target, pending.release());
      // Nothing to say about the object: the cluster is silent, or our watches have just begun.
      case Situation.OutOfReach outOfReach -> {
        return next;
      }
      case Situation.StillLooking stillLooking -> {
        return next;
      }
      case Situation.WaitingForTurn waiting -> {
        return next;
      }
      case Situation.Blocked blocked -> {}
      case Situation.Failed failed -> {}
      case Situation.Unchecked unchecked -> {}
    }
    record.report(new DeploymentState.Settled(situation, run.request().failures()));
    return situation instanceof Situation.Deployed && !record.staleTargets().isEmpty()
        ? cleanup.leaveStale(record, run.sight(), cluster, next)
        : next;
  }

  private String clusterOf(Target target) {
    return settings.routing().clusterOf(target).value();
  }
}
