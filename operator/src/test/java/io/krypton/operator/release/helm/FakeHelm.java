// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.HelmOperation.Rollback;
import io.krypton.operator.release.helm.HelmOperation.Uninstall;
import io.krypton.operator.release.helm.HelmOperation.Upgrade;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Keeps releases in memory; {@link HelmClientContract} holds it to what the real one does. */
public final class FakeHelm implements HelmClient {
  private static final int HISTORY_MAX = 5;

  private final Map<ReleaseKey, List<Revision>> releases = new HashMap<>();
  private final Map<ReleaseKey, Boolean> running = new HashMap<>();
  private final Queue<HelmResult> scripted = new ArrayDeque<>();
  private final List<HelmOperation> operations = new ArrayList<>();
  private final Map<ReleaseKey, Runnable> waiting = new LinkedHashMap<>();
  private boolean refusing;
  private boolean closed;
  private int secrets;

  /** The next operation changes nothing and has this result. */
  public synchronized void answerNext(HelmResult result) {
    scripted.add(result);
  }

  /** All that were asked for, in order. */
  public synchronized List<HelmOperation> operations() {
    return List.copyOf(operations);
  }

  public synchronized ReleaseHistory history(ReleaseKey release) {
    return new ReleaseHistory(releases.getOrDefault(release, List.of()));
  }

  /** From now on there is no free slot, until {@link #makeRoom}. */
  public synchronized void refuseTurns() {
    refusing = true;
  }

  /** Calls those who were refused, in the order in which they came. */
  public void makeRoom() {
    List<Runnable> calls;
    synchronized (this) {
      refusing = false;
      calls = List.copyOf(waiting.values());
      waiting.clear();
    }
    calls.forEach(Runnable::run);
  }

  @Override
  public synchronized boolean reserve(ReleaseKey release, Runnable call) {
    if (refusing) {
      waiting.put(release, call);
    }
    return !refusing;
  }

  @Override
  public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
    return reserve(release, call);
  }

  @Override
  public synchronized void releaseReservation(ReleaseKey release) {
    waiting.remove(release);
  }

  @Override
  public synchronized boolean isRunning(ReleaseKey release) {
    return running.containsKey(release);
  }

  @Override
  public boolean hasEnded(String instance) {
    return false;
  }

  @Override
  public synchronized void stop(String cluster) {
    running.replaceAll((release, alive) -> alive && !release.cluster().equals(cluster));
    notifyAll();
  }

  @Override
  public synchronized void close() {
    closed = true;
    running.replaceAll((release, alive) -> false);
    notifyAll();
  }

  @Override
  public synchronized HelmResult run(HelmOperation operation) {
    operations.add(operation);
    var release = operation.target().release();
    if (closed) {
      return new HelmResult.Stopped();
    }
    if (running.containsKey(release)) {
      return new HelmResult.Busy("the release is being worked on");
    }
    var answer = scripted.poll();
    if (answer != null) {
      return answer;
    }
    running.put(release, true);
    try {
      return perform(operation, release);
    } finally {
      running.remove(release);
    }
  }

  private HelmResult perform(HelmOperation operation, ReleaseKey release) {
    var latest = history(release).latest().orElse(null);
    return switch (operation) {
      case Install(var target, var releaseSpec) ->
          latest == null
              ? rollOut(release, releaseSpec, ReleaseStatus.PENDING_INSTALL)
              : new HelmResult.Failed("cannot reuse a name that is still in use");
      case Upgrade(var target, var releaseSpec, var orInstall) ->
          upgrade(release, releaseSpec, orInstall, latest);
      case Rollback(var target, var toRevision) -> rollBack(release, toRevision);
      case Uninstall(var target) -> {
        releases.remove(release);
        yield new HelmResult.Done();
      }
    };
  }

  private HelmResult upgrade(
      ReleaseKey release, ReleaseSpec releaseSpec, boolean orInstall, @Nullable Revision latest) {
    if (latest == null) {
      return orInstall
          ? rollOut(release, releaseSpec, ReleaseStatus.PENDING_INSTALL)
          : new HelmResult.Failed("\"" + release.name() + "\" has no deployed releases");
    }
    return latest.status().isPending()
        ? new HelmResult.Failed("another operation (install/upgrade/rollback) is in progress")
        : rollOut(release, releaseSpec, ReleaseStatus.PENDING_UPGRADE);
  }

  private HelmResult rollBack(ReleaseKey release, int toRevision) {
    var to =
        history(release).revisions().stream()
            .filter(revision -> revision.version() == toRevision)
            .findFirst();
    if (to.isEmpty()) {
      return new HelmResult.Failed("release has no " + toRevision + " version");
    }
    add(release, ReleaseStatus.PENDING_ROLLBACK, to.get().labels());
    return deployed(release);
  }

  private HelmResult rollOut(ReleaseKey release, ReleaseSpec releaseSpec, ReleaseStatus pending) {
    if (releaseSpec.chart().file().equals(TestCharts.BROKEN)) {
      return new HelmResult.Failed("this chart is broken on purpose");
    }
    add(release, pending, releaseSpec.labels().asMap());
    if (releaseSpec.chart().file().equals(TestCharts.HOOK)) {
      hangUntilStopped(release);
      set(release, ReleaseStatus.FAILED);
      return new HelmResult.Stopped();
    }
    return deployed(release);
  }

  private void hangUntilStopped(ReleaseKey release) {
    try {
      while (running.getOrDefault(release, false)) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HelmResult deployed(ReleaseKey release) {
    var revisions = revisions(release);
    revisions.replaceAll(
        it -> it.status() == ReleaseStatus.DEPLOYED ? with(it, ReleaseStatus.SUPERSEDED) : it);
    set(release, ReleaseStatus.DEPLOYED);
    while (revisions.size() > HISTORY_MAX) {
      revisions.removeFirst();
    }
    return new HelmResult.Done();
  }

  private void add(ReleaseKey release, ReleaseStatus status, Map<String, String> labels) {
    var version = history(release).latest().map(Revision::version).orElse(0) + 1;
    revisions(release).add(new Revision(version, status, labels, "uid-" + ++secrets));
  }

  private void set(ReleaseKey release, ReleaseStatus status) {
    revisions(release).add(with(revisions(release).removeLast(), status));
  }

  private List<Revision> revisions(ReleaseKey release) {
    return releases.computeIfAbsent(release, key -> new ArrayList<>());
  }

  private static Revision with(Revision revision, ReleaseStatus status) {
    return new Revision(revision.version(), status, revision.labels(), revision.uid());
  }
}
