// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.api.rollout.Release;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.ObjectTree;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Column;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Tenants as table and document; pure. */
final class TenantViews {
  /** How much must be shown to tell Tenants apart. */
  enum Scope {
    NAMESPACE,
    CLUSTER,
    FLEET
  }

  /** A Tenant and the cluster it is on, which is empty where there is only one. */
  record ClusterTenant(String cluster, RolloutObject tenant) {
    boolean isNamed(String name) {
      return tenant.metadata().getName().equals(name);
    }
  }

  private TenantViews() {}

  static View of(List<ClusterTenant> tenants, Scope scope, List<String> notes, Instant now) {
    var rows = tenants.stream().map(clusterTenant -> row(clusterTenant, scope, now)).toList();
    var names = tenants.stream().map(it -> it.tenant().name().qualified()).toList();
    return new View(
        List.of(), new Table(columns(scope), rows), document(tenants, scope), names, notes);
  }

  private static List<Column> columns(Scope scope) {
    var columns = new ArrayList<Column>();
    if (scope == Scope.FLEET) {
      columns.add(Column.of("CLUSTER"));
    }
    if (scope != Scope.NAMESPACE) {
      columns.add(Column.of("NAMESPACE"));
    }
    columns.addAll(Table.columns("NAME", "PHASE", "REASON", "WORKSPACE", "AGE"));
    columns.addAll(
        List.of(
            Column.wide("CHART"),
            Column.wide("RELEASE"),
            Column.wide("REVISION"),
            Column.wide("MESSAGE")));
    return columns;
  }

  private static Row row(ClusterTenant clusterTenant, Scope scope, Instant now) {
    var object = clusterTenant.tenant();
    var metadata = object.metadata();
    var release = object.releases().stream().findFirst();
    var cells = new ArrayList<Cell>();
    if (scope == Scope.FLEET) {
      cells.add(Cell.of(clusterTenant.cluster()));
    }
    if (scope != Scope.NAMESPACE) {
      cells.add(Cell.of(metadata.getNamespace()));
    }
    cells.add(Cell.of(metadata.getName()));
    cells.add(Cell.state(object.isDeleted() ? "Deleting" : object.phaseName()));
    cells.add(Cell.of(object.reason() + (object.isStalled() ? " (stalled)" : "")));
    cells.add(Cell.of(object.workspace()));
    cells.add(Cell.untracked(Age.of(metadata.getCreationTimestamp(), now)));
    cells.add(Cell.of(object.chart()));
    cells.add(Cell.of(release.map(Release::name).orElse("")));
    cells.add(Cell.of(release.map(Release::revision).map(Objects::toString).orElse("")));
    cells.add(Cell.of(object.message()));
    return new Row(
        clusterTenant.cluster() + "/" + metadata.getNamespace() + "/" + metadata.getName(), cells);
  }

  private static Map<String, Object> document(List<ClusterTenant> tenants, Scope scope) {
    var items = tenants.stream().map(clusterTenant -> item(clusterTenant, scope)).toList();
    var list = new LinkedHashMap<String, Object>();
    list.put("apiVersion", "v1");
    list.put("kind", "List");
    list.put("items", items);
    return list;
  }

  private static Object item(ClusterTenant clusterTenant, Scope scope) {
    var document = ObjectTree.withoutManagedFields(clusterTenant.tenant().document());
    return scope == Scope.FLEET
        ? Map.of("cluster", clusterTenant.cluster(), "tenant", document)
        : document;
  }
}
