// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.krypton.operator.release.ReleaseChanges;
import io.krypton.operator.release.ReleaseInspector;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.DeployedRelease;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Inspects the objects of releases on every engaged cluster. */
public final class InventoryInspector implements ReleaseInspector {
  private final Map<String, ClusterInventory> clusters = new ConcurrentHashMap<>();

  /** A cluster is engaged; the objects are closed by whoever opened them. */
  public void engaged(String cluster, ClusterInventory objects) {
    clusters.put(cluster, objects);
  }

  public void disengaged(String cluster) {
    clusters.remove(cluster);
  }

  @Override
  public InspectionResult inspect(TargetCluster target, DeployedRelease release, Scope scope)
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
  public ReleaseChanges.Waiter changes(TargetCluster target, DeployedRelease release) {
    var objects = clusters.get(target.name());
    var changes = objects == null ? new ReleaseChanges() : objects.changes();
    return changes.waiter(release.namespace(), release.name().value());
  }

  @Override
  public void stored(TargetCluster target, DeployedRelease release, String manifest) {
    var objects = clusters.get(target.name());
    if (objects != null) {
      objects.stored(release, manifest);
    }
  }

  @Override
  public void forget(TargetCluster target, String namespace, String release) {
    var objects = clusters.get(target.name());
    if (objects != null) {
      objects.forget(namespace, release);
    }
  }
}
