package io.krypton.cli.view;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.watch.MetadataSelection;
import java.util.List;
import java.util.function.Supplier;

/** Is told by each look what it depends on, so that a change of it leads to the next look. */
public interface Follower {
  /**
   * Objects of a cluster that the user is connected to.
   *
   * @param key the same in each look
   */
  void follow(String key, KubernetesClient client, MetadataSelection objects);

  /** Objects of a further cluster; it is connected to once for each key. */
  void follow(String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects);

  /** For those who look only once. */
  static Follower nobody() {
    return new Follower() {
      @Override
      public void follow(String key, KubernetesClient client, MetadataSelection objects) {}

      @Override
      public void follow(
          String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects) {}
    };
  }
}
