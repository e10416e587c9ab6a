// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.base.http.Page;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.operator.deployment.DeploymentController;
import io.krypton.operator.release.helm.HelmEngine.EngineStatus;
import io.krypton.operator.release.reconcile.OwnerQueue.PhaseCount;
import io.krypton.operator.tenant.TenantController;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /status}: the fleet as this process sees it, as JSON. */
final class StatusPage implements Page {
  private final ClusterRegistry registry;
  private final TenantController tenants;
  private final @Nullable DeploymentController deployments;
  private final KmsHealthSetup kms;
  private final Leadership leadership;
  private final Supplier<EngineStatus> helm;
  private final JsonMapper json = new JsonMapper();

  StatusPage(
      ClusterRegistry registry,
      TenantController tenants,
      @Nullable DeploymentController deployments,
      KmsHealthSetup kms,
      Leadership leadership,
      Supplier<EngineStatus> helm) {
    this.registry = registry;
    this.tenants = tenants;
    this.deployments = deployments;
    this.kms = kms;
    this.leadership = leadership;
    this.helm = helm;
  }

  @Override
  public PageResponse respond(PageRequest request) {
    var status = new LinkedHashMap<String, Object>();
    status.put("leader", leadership.isLeading());
    status.put("helm", helm(helm.get()));
    // Once for all clusters: it looks at each Tenant.
    var phases = phases(tenants.phases());
    status.put(
        "clusters",
        registry.clusters().stream()
            .map(it -> cluster(it, phases.getOrDefault(it.name().value(), Map.of())))
            .toList());
    if (deployments != null) {
      status.put("regions", regions(deployments.phases()));
    }
    try {
      return PageResponse.json(200, json.writeValueAsString(status) + "\n");
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a status of plain values is not JSON", impossible);
    }
  }

  private static Map<String, Object> helm(EngineStatus engine) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("engine", engine.engine());
    fields.put("reason", engine.reason());
    fields.put("version", engine.version());
    fields.put("processes", engine.processes());
    fields.put("workerBytes", engine.workerBytes());
    return fields;
  }

  private Map<String, Object> cluster(ClusterSnapshot cluster, Map<String, Long> phases) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", cluster.name().value());
    fields.put("secret", cluster.secret().toString());
    fields.put("state", cluster.state().value());
    fields.put("since", cluster.since().toString());
    cluster.lastError().ifPresent(error -> fields.put("lastError", error));
    if (cluster.serverVersion() != null) {
      fields.put("serverVersion", cluster.serverVersion());
    }
    if (cluster.credentialsExpireAt() != null) {
      fields.put("credentialsExpireAt", cluster.credentialsExpireAt().toString());
    }
    fields.put("tenants", phases);
    fields.put("kms", kms.status(cluster.name().value()));
    return fields;
  }

  private static Map<String, Map<String, Long>> regions(List<PhaseCount> counts) {
    var regions = new LinkedHashMap<String, Map<String, Long>>();
    counts.forEach(
        count ->
            regions
                .computeIfAbsent(count.group(), first -> new LinkedHashMap<>())
                .put(count.phase().name().toLowerCase(Locale.ROOT), count.count()));
    return regions;
  }

  private static Map<String, Map<String, Long>> phases(List<PhaseCount> counts) {
    var clusters = new HashMap<String, Map<String, Long>>();
    counts.forEach(
        count ->
            clusters
                .computeIfAbsent(count.group(), first -> new LinkedHashMap<>())
                .put(count.phase().name().toLowerCase(Locale.ROOT), count.count()));
    return clusters;
  }
}
