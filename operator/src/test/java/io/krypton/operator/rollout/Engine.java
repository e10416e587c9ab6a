package io.krypton.operator.rollout;

import static org.awaitility.Awaitility.await;

import io.krypton.operator.chart.Backoff;
import io.krypton.operator.chart.ChartListener;
import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.chart.ChartStore;
import io.krypton.operator.deployed.ClusterObjects;
import io.krypton.operator.deployed.DeployedObjects;
import io.krypton.operator.helm.HelmClient;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.RolloutSettings.DriftMode;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
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
final class Engine implements AutoCloseable {
  static final String INSTANCE = "this-operator";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Those that found no turn at Helm, when there was one for them. */
  final List<Waiter> woken = new CopyOnWriteArrayList<>();

  private final TestTarget edge;
  private final ChartStore store;
  private final ClusterObjects objects;
  private final Rollout rollout;
  private final Withdrawal withdrawal;

  Engine(TestTarget edge, HelmClient helm, Path chart) {
    this.edge = edge;
    this.store =
        new ChartStore(
            ref -> new ChartResult.Loaded(chart, "digest", "0.1.0", Set.of()),
            new Backoff(MINUTE, MINUTE, new Random(1)),
            new ChartListener() {});
    var ref = ChartRef.of("/charts", "test", "0.1.0");
    await().until(() -> store.chart(ref) instanceof ChartResult.Loaded);
    this.objects = new ClusterObjects(edge.target().name(), edge.client(), (ns, name) -> {});
    var deployed = new DeployedObjects();
    deployed.engaged(edge.target().name(), objects);
    var settings =
        new RolloutSettings(INSTANCE, MINUTE, MINUTE, MINUTE, DriftMode.REPAIR, false, true);
    this.rollout =
        new Rollout(
            new CentralChart(ref, store),
            TestTarget.NOBODY_LIVES,
            deployed,
            new ReleaseActions(helm, settings, RolloutListener.NONE, woken::add),
            settings,
            Clock.systemUTC());
    this.withdrawal =
        new Withdrawal(
            helm,
            deployed,
            new ReservedNamespaces(Set.of()),
            MINUTE,
            TestTarget.NOBODY_LIVES,
            Clock.systemUTC());
  }

  /** An object that wants a release, and what its status remembers. */
  final class Client {
    final RecordingJournal journal = new RecordingJournal();
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

    Situation run(Map<String, ?> values) throws InterruptedException {
      var intent =
          new Intent(
              owner(),
              release,
              workspace,
              Values.of(values),
              BaseValue.oneReplica(),
              annotated,
              reported,
              false,
              false,
              null,
              0);
      var situation = rollout.run(intent, edge.target(), journal);
      situation
          .standing()
          .ifPresent(
              standing -> {
                annotated = standing.fingerprint().hex();
                reported = standing.revision();
              });
      return situation;
    }

    Waiter waiter() {
      return Waiter.of(owner(), edge.target().name());
    }

    Withdrawal.Progress withdraw() throws InterruptedException {
      return withdrawal.advance(owner(), release, workspace, edge.target(), journal);
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
