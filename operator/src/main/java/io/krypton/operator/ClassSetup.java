// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.multicluster.cluster.ClusterState;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.operator.classes.controller.ClassController;
import io.krypton.operator.classes.controller.ClassReconciler;
import io.krypton.operator.classes.revision.FlagsRevision;
import io.krypton.operator.classes.target.TargetIndex;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Puts together what decides about classes, whose revisions all owners get. */
final class ClassSetup implements AutoCloseable {
  private final ClassController controller;

  ClassSetup(OperatorSettings settings, TenantSetup tenants, TargetIndex targets) {
    var published = tenants.engine().revisions();
    this.controller =
        new ClassController(
            settings.home().namespace(),
            targets,
            published,
            classes ->
                new ClassReconciler(
                    classes,
                    targets,
                    published,
                    tenants.charts(),
                    new FlagsRevision(settings.chart().reference(), settings.chart().values()),
                    Clock.systemUTC()));
    tenants.onAnyChart(controller::chartChanged);
  }

  ClassController controller() {
    return controller;
  }

  @Override
  public void close() {
    controller.close();
  }

  /**
   * The clusters as the registry knows them; it is made after those who ask.
   *
   * @param registry of all clusters
   * @param provider of their Secrets
   * @param kmsDegradedNames of those that say KMSPluginsDegraded
   */
  record RegisteredClusters(
      Supplier<ClusterRegistry> registry,
      Supplier<ClusterProvider> provider,
      Supplier<Set<String>> kmsDegradedNames)
      implements TargetIndex.Clusters {
    @Override
    public boolean areSettled() {
      return provider.get().hasSynced()
          && registry.get().clusters().stream()
              .noneMatch(
                  it -> it.state() instanceof ClusterState.Connecting(var attempts, var last)
                      && last == null);
    }

    @Override
    public boolean isUp(String cluster) {
      return registry.get().isUp(new ClusterName(cluster));
    }

    @Override
    public Map<String, String> labels(SecretRef secret) {
      return provider.get().labels(secret);
    }

    @Override
    public List<String> notSeen() {
      var clusters = registry.get();
      return clusters.clusters().stream()
          .map(ClusterSnapshot::name)
          .filter(name -> clusters.engaged(name).isEmpty())
          .map(ClusterName::value)
          .toList();
    }

    @Override
    public Set<String> kmsDegraded() {
      return kmsDegradedNames.get();
    }
  }

  /** What is asked for each target, and need not be newer than this. */
  static final class ForOneSecond<T> implements Supplier<T> {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Supplier<T> source;
    private volatile @Nullable Read<T> last;

    private record Read<T>(T value, long at) {}

    ForOneSecond(Supplier<T> source) {
      this.source = source;
    }

    @Override
    public T get() {
      var known = last;
      if (known == null || System.nanoTime() - known.at() > SECOND) {
        known = new Read<>(source.get(), System.nanoTime());
        last = known;
      }
      return known.value();
    }
  }
}
