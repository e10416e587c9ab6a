// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.ControllerWatch;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.leader.LeadershipListener;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.reconcile.ReferencedValues.ValuesListener;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Watches the classes of home and all that they depend on. Without a class it costs one watch for
 * each kind.
 */
public final class ClassController
    implements LeadershipListener, HomeClassesWatch.ClassesListener, ValuesListener, AutoCloseable {
  private static final String HOME = "home";
  private static final ConcurrencyLimits LIMITS = new ConcurrencyLimits(4, 4);

  /** Many targets change within a moment; that is one change for their class. */
  private static final Duration TARGETS_DELAY = Duration.ofMillis(200);

  private final String namespace;
  private final TargetIndex index;
  private final PublishedClasses published;
  private final ClassReconciler reconciler;
  private final Controller controller;
  private final Set<String> changedTargets = ConcurrentHashMap.newKeySet();
  private volatile @Nullable HomeClassesWatch watch;
  private volatile @Nullable HomeClasses home;

  /**
   * Paused, and without a home until {@link #attach}.
   *
   * @param namespace of classes on home
   */
  public ClassController(
      String namespace,
      TargetIndex index,
      PublishedClasses published,
      Function<ClassController, ClassReconciler> reconciler) {
    this.namespace = namespace;
    this.index = index;
    this.published = published;
    this.reconciler = reconciler.apply(this);
    this.controller =
        new Controller(
            "classes",
            LIMITS,
            Backoff.STANDARD,
            this.reconciler,
            Controller.ControllerListener.none());
    index.onChange(this::targetsChanged);
  }

  /** The classes of this home are followed from now on, instead of those of an earlier one. */
  public synchronized void attach(KubernetesClient client, EventRecorder events) {
    close();
    var next = new HomeClassesWatch(client, namespace, events, this, this);
    watch = next;
    next.start();
  }

  @Override
  public void onNotServed() {
    published.classesKnown(PublishedClasses.ClassLookup.NONE);
  }

  @Override
  public void onSynced(HomeClasses homeClasses) throws InterruptedException {
    home = homeClasses;
    var _ =
        homeClasses
            .classes()
            .subscribe(
                (before, after) -> {
                  if (after != null) {
                    index.start();
                  }
                });
    published.classesKnown(homeClasses::exists);
    controller.attach(
        HOME,
        List.of(
            ControllerWatch.of(homeClasses.classes()).resetBackoffOn(ClassController::isAsked),
            ControllerWatch.of(
                homeClasses.rollouts(),
                (cluster, rollout) -> List.of(key(rollout.getSpec().className()))),
            ControllerWatch.of(
                homeClasses.approvals(),
                (cluster, approval) ->
                    homeClasses
                        .rollouts()
                        .get(namespace, approval.getSpec().rollout())
                        .map(rollout -> List.of(key(rollout.getSpec().className())))
                        .orElse(List.of()))));
  }

  private static boolean isAsked(@Nullable HasMetadata before, @Nullable HasMetadata after) {
    return before == null
        || after == null
        || !before.getMetadata().getGeneration().equals(after.getMetadata().getGeneration());
  }

  /** Null until home was listed. */
  @Nullable HomeClasses home() {
    return home;
  }

  /** The loop itself, to be started, stopped and measured. */
  public Controller controller() {
    return controller;
  }

  private WorkKey key(String className) {
    return new WorkKey(HOME, namespace, className);
  }

  private void targetsChanged(String className) {
    if (changedTargets.add(className)) {
      CompletableFuture.delayedExecutor(
              TARGETS_DELAY.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
          .execute(
              () -> {
                changedTargets.remove(className);
                controller.enqueue(key(className));
              });
    }
  }

  /** The chart was loaded, or not. */
  public void chartChanged(ChartRef chart, boolean loaded) {
    var known = home;
    if (known == null) {
      return;
    }
    for (var tenantClass : known.classes().list()) {
      var named = tenantClass.getSpec().chart();
      if (named.name().equals(chart.name()) && named.version().equals(chart.version())) {
        var key = key(tenantClass.getMetadata().getName());
        if (loaded) {
          controller.enqueueAndResetBackoff(key);
        } else {
          controller.enqueue(key);
        }
      }
    }
  }

  @Override
  public void changed(WorkKey reader) {
    controller.enqueueAndResetBackoff(reader);
  }

  @Override
  public void maybeChanged(WorkKey reader) {
    controller.enqueueAfterBackoff(reader);
  }

  /** Whoever led before may have decided more than our caches show. */
  @Override
  public void startedLeading(Term term) {
    forgetTerm();
  }

  @Override
  public void stoppedLeading(Term term) {
    forgetTerm();
  }

  private void forgetTerm() {
    reconciler.forgetTerm();
    published.forgetAnswers();
    var known = home;
    if (known != null) {
      known.classes().list().forEach(it -> controller.enqueue(key(it.getMetadata().getName())));
    }
  }

  /** Stops watching home; what is rolled out stays as it is. */
  @Override
  public synchronized void close() {
    var present = watch;
    if (present != null) {
      present.close();
    }
  }
}
