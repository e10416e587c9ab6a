// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A real control plane as the engine sees it, with its caches. */
public record TestTarget(
    KubernetesClient client, MetadataCache namespaces, MetadataCache releases, TargetCluster target)
    implements AutoCloseable {
  static final OwnerLookup NOBODY_LIVES =
      new OwnerLookup() {
        @Override
        public boolean exists(String cluster, String reference, String uid) {
          return false;
        }

        @Override
        public boolean exists(String cluster, String uid) {
          return false;
        }
      };

  static final ReleaseInspector NO_INSPECTOR =
      new ReleaseInspector() {
        @Override
        public InspectionResult inspect(
            TargetCluster target, DeployedRelease release, Scope scope) {
          return InspectionResult.NONE;
        }

        @Override
        public List<String> ownedByOthers(TargetCluster target, DeployedRelease release) {
          return List.of();
        }

        @Override
        public ReleaseChanges.Waiter changes(TargetCluster target, DeployedRelease release) {
          return new ReleaseChanges().waiter(release.namespace(), release.name().value());
        }

        @Override
        public void stored(TargetCluster target, DeployedRelease release, String manifest) {}

        @Override
        public void forget(TargetCluster target, String namespace, String release) {}
      };

  public static TestTarget of(ControlPlane plane) {
    var kubeconfig = plane.adminKubeconfig();
    var config = Config.fromKubeconfig(kubeconfig);
    config.setRequestTimeout(60_000); // A busy machine may be slow to answer.
    var client = new KubernetesClientBuilder().withConfig(config).build();
    var namespaces =
        new MetadataCache(
            "namespaces", client, new MetadataSelection("", "v1", "namespaces", "", ""), Map.of());
    var releases =
        new MetadataCache(
            "releases", client, TargetCluster.allReleaseSecrets(), TargetCluster.indexes());
    var target =
        new TargetCluster(
            plane.name(), client, () -> new HelmKubeconfig(kubeconfig), namespaces, releases);
    return new TestTarget(client, namespaces, releases, target);
  }

  /** With caches that follow the cluster. */
  public static TestTarget following(ControlPlane plane) throws InterruptedException {
    var target = of(plane);
    target.namespaces.start();
    target.releases.start();
    assertThat(target.namespaces.awaitSync(Duration.ofSeconds(60))).isTrue();
    assertThat(target.releases.awaitSync(Duration.ofSeconds(60))).isTrue();
    return target;
  }

  @Override
  public void close() {
    namespaces.close();
    releases.close();
    client.close();
  }
}
