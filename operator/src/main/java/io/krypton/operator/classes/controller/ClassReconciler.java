// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.multicluster.controller.Reconciler;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.classes.controller.ClassStatusWriter.Verdict;
import io.krypton.operator.classes.decide.DeciderMemory.ClockReading;
import io.krypton.operator.classes.revision.ClassRevision;
import io.krypton.operator.classes.revision.FlagsRevision;
import io.krypton.operator.classes.revision.RevisionDraft;
import io.krypton.operator.classes.revision.RevisionDraft.Complete;
import io.krypton.operator.classes.revision.Revisions;
import io.krypton.operator.classes.revision.Revisions.Judgement;
import io.krypton.operator.classes.target.RolloutTarget;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.reconcile.OwnerPatches;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings one class to what it asks for: a stored revision, a rollout that moves from wave to wave,
 * and an answer for each target. What is decided is written before anybody acts on it.
 */
public final class ClassReconciler implements Reconciler {
  private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

  /** How soon it is looked again whether all clusters are there. */
  private static final Duration UNSETTLED = Duration.ofSeconds(1);

  private final ClassController controller;
  private final TargetIndex index;
  private final PublishedClasses published;
  private final ChartStore charts;
  private final FlagsRevision flags;
  private final Clock clock;
  private final NewestObjects<TenantClass> newest = new NewestObjects<>();
  private final NewestObjects<ChartRollout> rollouts = new NewestObjects<>();
  private final Map<String, ClassMemory> memories = new ConcurrentHashMap<>();

  /** Works on whatever home the controller has at the time. */
  public ClassReconciler(
      ClassController controller,
      TargetIndex index,
      PublishedClasses published,
      ChartStore charts,
      FlagsRevision flags,
      Clock clock) {
    this.controller = controller;
    this.index = index;
    this.published = published;
    this.charts = charts;
    this.flags = flags;
    this.clock = clock;
  }

  /** One run about one class. */
  private record Run(
      HomeClasses home,
      WorkKey key,
      ClassMemory memory,
      ClassStatusWriter writer,
      ClassRollouts rollouts,
      List<RolloutTarget> targets) {
    TenantClass tenantClass() {
      return writer.tenantClass();
    }

    String className() {
      return key.name();
    }
  }

  /** A term of leadership begins or has ended: whoever led meanwhile may have written. */
  void forgetTerm() {
    memories.clear();
  }

  /** What was last decided about each class. */
  Map<String, ClassMemory> memories() {
    return memories;
  }

  @Override
  public ReconcileResult reconcile(Request request) {
    var home = controller.home();
    if (home == null) {
      return ReconcileResult.done();
    }
    var name = request.key().name();
    var cached = home.classes().get(home.namespace(), name).orElse(null);
    if (cached == null) {
      forget(home, request.key());
      return ReconcileResult.done();
    }
    var classRollouts = new ClassRollouts(home, cached, rollouts);
    var memory = memories.get(name);
    if (memory == null || !memory.isOf(cached)) {
      // The caches may be behind what another process has decided.
      var live = home.client().resource(cached).get();
      if (live == null) {
        return ReconcileResult.done(); // The watch is about to tell.
      }
      newest.seen(live);
      classRollouts.read();
      memory = new ClassMemory(live.getMetadata().getUid(), home.revisions().list(live));
      memories.put(name, memory);
    }
    var writer = new ClassStatusWriter(home, newest.newest(cached), newest, clock);
    return reconcile(
        new Run(home, request.key(), memory, writer, classRollouts, index.targets(name)));
  }

  private void forget(HomeClasses home, WorkKey key) {
    memories.remove(key.name());
    newest.forget(key.name());
    home.references().forget(key);
    published.remove(key.name());
  }

  private ReconcileResult reconcile(Run run) {
    var tenantClass = run.tenantClass();
    var client = run.home().client();
    if (tenantClass.getMetadata().getDeletionTimestamp() != null) {
      var users = ClassUsers.of(run.targets(), index.notSeen());
      if (isOrphaned(tenantClass) || users.isNone()) {
        var _ = OwnerPatches.removeFinalizer(client, tenantClass, Finalizers.TENANT_CLASS);
        return ReconcileResult.done();
      }
      run.writer().usedBy(users);
    } else {
      var marked = OwnerPatches.addFinalizer(client, tenantClass, Finalizers.TENANT_CLASS);
      if (marked.isEmpty()) {
        return ReconcileResult.done();
      }
      run.writer().refresh(marked.get());
    }
    return rollOut(run, verdict(run));
  }

  private static boolean isOrphaned(TenantClass tenantClass) {
    var annotations = tenantClass.getMetadata().getAnnotations();
    return annotations != null
        && Annotations.ORPHAN.equals(annotations.get(Annotations.DELETION_POLICY));
  }

  /** What the class asks for, stored if it is new and may be rolled out. */
  private Verdict verdict(Run run) {
    var tenantClass = run.tenantClass();
    var memory = run.memory();
    return switch (RevisionDraft.of(tenantClass, run.key(), run.home().references(), charts)) {
      case RevisionDraft.Loading loading -> new Verdict.Loading();
      case RevisionDraft.Unusable(var reason, var message) -> new Verdict.Refused(reason, message);
      case Complete draft -> {
        var begin = beginOf(run);
        yield begin == null ? accepted(run, draft, memory.stable(tenantClass)) : begin;
      }
    };
  }

  private Verdict accepted(Run run, Complete draft, @Nullable ClassRevision stable) {
    var allowsDowngrade = run.tenantClass().getSpec().allowed().downgrade();
    return switch (run.memory().revisions().judge(draft, allowsDowngrade, stable)) {
      case Judgement.Refused(var reason, var message) -> new Verdict.Refused(reason, message);
      case Judgement.Accepted(var revision, var isNew) -> {
        if (isNew) {
          store(run, revision);
        }
        yield new Verdict.Accepted(revision.reference());
      }
    };
  }

  private static void store(Run run, ClassRevision revision) {
    run.home().revisions().create(revision, run.tenantClass());
    run.memory().add(revision);
  }

  /**
   * The first rollout of an object named default begins where flags have brought the fleet. Null if
   * there is nothing to wait for.
   */
  private @Nullable Verdict beginOf(Run run) {
    if (!run.className().equals(ClassRules.DEFAULT_CLASS)
        || !run.memory().revisions().all().isEmpty()) {
      return null;
    }
    if (!index.isSettled()) {
      return new Verdict.Loading();
    }
    if (run.targets().stream().noneMatch(RolloutTarget::isUnlabelled)) {
      return null;
    }
    return switch (flags.draft(charts)) {
      case Complete draft -> {
        store(run, draft.numbered(run.className(), 1));
        run.memory().adoptedFlags();
        yield null;
      }
      case RevisionDraft.Loading loading -> new Verdict.Loading();
      case RevisionDraft.Unusable(var reason, var message) -> new Verdict.Refused(reason, message);
    };
  }

  private ReconcileResult rollOut(Run run, Verdict verdict) {
    var settled = index.isSettled();
    var reading = new ClockReading(clock.instant(), System.nanoTime());
    var course = new RolloutCourse(run.rollouts(), run.memory(), run.targets(), settled, reading);
    var outcome = course.follow(run.tenantClass(), verdict);
    if (outcome.isEmpty() || !run.writer().write(verdict, outcome.get(), run.targets())) {
      run.memory().forgetDecision();
      return ReconcileResult.retry("StatusNotWritten", "a decision about the class was not stored");
    }
    var decided = run.tenantClass();
    var taken = outcome.get().taken();
    if (taken != null) {
      run.rollouts().acceptApprovals(taken.rollout(), reading.now());
    }
    published.publish(
        run.className(),
        new ClassAnswers(
            run.className(),
            decided.getSpec().allowed(),
            run.memory().revisions(),
            run.memory().stable(decided),
            taken == null ? null : taken.decided()),
        run.targets());
    new ClassCleanup(run.home(), run.memory(), run.rollouts(), index)
        .run(decided, run.targets(), charts, flags.chart(), memories);
    return ReconcileResult.requeueAfter(settled ? next(taken) : UNSETTLED);
  }

  private static Duration next(RolloutStep.@Nullable Taken taken) {
    var wanted = taken == null ? null : taken.decision().requeueAfter();
    return wanted == null || wanted.compareTo(CHECK_INTERVAL) > 0 ? CHECK_INTERVAL : wanted;
  }
}
