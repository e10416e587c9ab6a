// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static java.util.Comparator.comparingInt;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.bench.soak.check.TenantFact.TenantState;
import io.krypton.bench.soak.plan.TenantModel;
import io.krypton.sandbox.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Reads what is there on one cluster, with a list request for each kind. */
public final class FleetInspector {
  private static final String LABELS = "labels";

  /** What Kubernetes itself puts into each namespace. */
  private static final Set<String> MADE_BY_KUBERNETES = Set.of("kube-root-ca.crt", "default");

  private final String cluster;
  private final Map<String, JsonNode> tenants;
  private final Map<String, JsonNode> namespaces;
  private final Map<String, List<JsonNode>> history;
  private final Map<String, Map<String, List<JsonNode>>> objects = new TreeMap<>();

  private FleetInspector(ControlPlane plane) {
    this.cluster = plane.name();
    this.tenants = byName(list(plane, "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/tenants"));
    this.namespaces = byName(list(plane, "/api/v1/namespaces"));
    this.history = byNamespace(list(plane, "/api/v1/secrets?labelSelector=owner=helm"));
    objects.put("ConfigMap", byNamespace(list(plane, "/api/v1/configmaps")));
    objects.put("Service", byNamespace(list(plane, "/api/v1/services")));
    objects.put("ServiceAccount", byNamespace(list(plane, "/api/v1/serviceaccounts")));
    objects.put("Deployment", byNamespace(list(plane, "/apis/apps/v1/deployments")));
  }

  /** One fact for each Tenant that is there, or of which something is left. */
  public static List<TenantFact> read(ControlPlane plane) {
    var inspector = new FleetInspector(plane);
    var names = new TreeSet<>(inspector.tenants.keySet());
    names.addAll(inspector.namespaces.keySet());
    inspector.objects.values().forEach(it -> names.addAll(it.keySet()));
    names.addAll(inspector.history.keySet());
    names.removeIf(it -> !it.startsWith(TenantModel.NAME_PREFIX));
    return names.stream().map(inspector::fact).toList();
  }

  private TenantFact fact(String name) {
    var revisions = new ArrayList<>(history.getOrDefault(name, List.of()));
    revisions.sort(comparingInt(secret -> Integer.parseInt(label(secret, "version", "0"))));
    var counts = new TreeMap<String, Integer>();
    objects.forEach((kind, all) -> counts.put(kind, all.getOrDefault(name, List.of()).size()));
    return new TenantFact(
        cluster,
        name,
        Optional.ofNullable(tenants.get(name)).map(FleetInspector::state),
        namespaces.containsKey(name),
        objects.getOrDefault("ConfigMap", Map.of()).getOrDefault(name, List.of()).stream()
            .map(it -> it.at("/data/message").asText())
            .findFirst(),
        revisions.stream().map(it -> label(it, "status", "")).toList(),
        revisions.stream().map(it -> label(it, "name", "")).distinct().toList(),
        counts);
  }

  private static TenantState state(JsonNode tenant) {
    return new TenantState(
        tenant.at("/metadata").has("deletionTimestamp"),
        condition(tenant, "Ready"),
        condition(tenant, "Reconciling"),
        tenant.at("/status/lastMessage").asText());
  }

  private static String condition(JsonNode tenant, String type) {
    return tenant
        .at("/status/conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals(type))
        .map(it -> it.path("status").asText() + "/" + it.path("reason").asText())
        .findFirst()
        .orElse("");
  }

  private static String label(JsonNode object, String label, String otherwise) {
    return object.path("metadata").path(LABELS).path(label).asText(otherwise);
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  private static List<JsonNode> list(ControlPlane plane, String path) {
    return plane.admin().get(path).orThrow().path("items").valueStream().toList();
  }

  private static Map<String, JsonNode> byName(List<JsonNode> objects) {
    return objects.stream()
        .collect(Collectors.toMap(FleetInspector::name, it -> it, (one, other) -> one));
  }

  private static Map<String, List<JsonNode>> byNamespace(List<JsonNode> objects) {
    return objects.stream()
        .filter(it -> !MADE_BY_KUBERNETES.contains(name(it)))
        .collect(Collectors.groupingBy(it -> it.at("/metadata/namespace").asText()));
  }
}
