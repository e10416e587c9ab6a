package io.krypton.operator.deployed;

import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Findings;
import io.krypton.operator.rollout.Inspector;
import io.krypton.operator.rollout.TargetCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Looks at the objects of releases on every engaged cluster. */
public final class DeployedObjects implements Inspector {
  private final Map<String, ClusterObjects> clusters = new ConcurrentHashMap<>();

  /** A cluster is engaged; the objects are closed by whoever opened them. */
  public void engaged(String cluster, ClusterObjects objects) {
    clusters.put(cluster, objects);
  }

  public void disengaged(String cluster) {
    clusters.remove(cluster);
  }

  @Override
  public Findings inspect(TargetCluster target, DeployedRelease release, Scope scope)
      throws IOException {
    var objects = clusters.get(target.name());
    if (objects == null) {
      throw new IOException("cluster %s has just been disengaged".formatted(target.name()));
    }
    return objects.inspect(target, release, scope);
  }

  @Override
  public List<String> ownedByOthers(TargetCluster target, DeployedRelease release)
      throws IOException {
    var objects = clusters.get(target.name());
    return objects == null ? List.of() : objects.ownedByOthers(target, release);
  }

  @Override
  public void forget(TargetCluster target, String namespace, String release) {
    var objects = clusters.get(target.name());
    if (objects != null) {
      objects.forget(namespace, release);
    }
  }
}
