// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.awaitility.Awaitility.await;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.Rollout.DesiredRelease;
import io.krypton.operator.release.Rollout.DesiredRelease.Content;
import io.krypton.operator.release.Rollout.DesiredRelease.LastSuccess;
import io.krypton.operator.release.Rollout.DesiredRelease.RunRequest;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.operator.release.inventory.ClusterInventory;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** All that rolls a chart out on a real control plane, without the objects that ask for it. */
final class RolloutFixture implements AutoCloseable {
  static final String INSTANCE = "this-operator";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Those that found no turn at Helm, when there was one for them. */
  final List<Waiter> woken = new CopyOnWriteArrayList<>();

  private final TestTarget edge;
  private final ChartStore store;
  private final ReleaseRevision revision;
  private final ClusterInventory objects;
  private final Rollout rollout;
  private final ReleaseUninstaller releaseUninstaller;

  RolloutFixture(TestTarget edge, HelmClient helm, Path chart) {
    this.edge = edge;
    this.store =
        new ChartStore(
            ref ->
                new ChartResult.Loaded(
                    chart, TestCharts.archive(chart).sha256(), "0.1.0", Set.of()),
            new RetryBackoff(MINUTE, MINUTE, new Random(1)),
            new ChartListener() {});
    var ref = ChartRef.of("/charts", "test", "0.1.0");
    this.revision = new ReleaseRevision(ref, ChartValues.empty());
    await().until(() -> store.chart(ref) instanceof ChartResult.Loaded);
    this.objects = new ClusterInventory(edge.target().name(), edge.client(), (ns, name) -> {});
    var deployed = new InventoryInspector();
    deployed.engaged(edge.target().name(), objects);
    var settings =
        new RolloutSettings(INSTANCE, MINUTE, MINUTE, MINUTE, DriftMode.REPAIR, false, true);
    this.rollout =
        new Rollout(
            new ChartAccess(store),
            TestTarget.NOBODY_LIVES,
            deployed,
            new HelmActions(helm, settings, RolloutMetricsListener.NONE, woken::add),
            settings,
            Clock.systemUTC(),
            RolloutMetricsListener.NONE);
    this.releaseUninstaller =
        new ReleaseUninstaller(
            helm,
            deployed,
            new ReservedNamespaces(Set.of()),
            MINUTE,
            TestTarget.NOBODY_LIVES,
            Clock.systemUTC(),
            woken::add);
  }

  /** An object that wants a release, and what its status remembers. */
  final class Client {
    final RecordingRolloutListener journal = new RecordingRolloutListener();
    private final String workspace;
    private final ReleaseName release;
    private @Nullable String annotated;
    private int reported;

    Client(String workspace, String release) {
      this.workspace = workspace;
      this.release = new ReleaseName(release);
    }

    String name() {
      return release.value();
    }

    RolloutResult run(Map<String, ?> values) throws InterruptedException {
      var desiredRelease =
          new DesiredRelease(
              owner(),
              release,
              workspace,
              new Content(revision, ChartValues.of(values), DefaultValue.oneReplica()),
              new LastSuccess(annotated, reported),
              new RunRequest(false, false, null, 0));
      var rolloutResult = rollout.run(desiredRelease, edge.target(), journal);
      rolloutResult
          .deployedRelease()
          .ifPresent(
              standing -> {
                annotated = standing.fingerprint().hex();
                reported = standing.revision();
              });
      return rolloutResult;
    }

    Waiter waiter() {
      return Waiter.of(owner(), edge.target().name());
    }

    ReleaseUninstaller.Progress withdraw() throws InterruptedException {
      return releaseUninstaller.advance(owner(), release, workspace, edge.target(), true, journal);
    }

    private Owner owner() {
      return new Owner(
          Owner.Kind.TENANT, "tenants", release.value(), "uid-" + release, Instant.EPOCH);
    }
  }

  @Override
  public void close() {
    store.close();
    objects.close();
  }
}
