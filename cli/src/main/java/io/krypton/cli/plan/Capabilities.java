// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.cli.view.CliException;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What charts may ask about a cluster, and how it serves its kinds.
 *
 * @param kinds by {@code apiVersion/Kind}; empty for servers before 1.30
 */
record Capabilities(String kubeVersion, List<String> apiVersions, Map<String, Served> kinds) {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  private static final Duration LIMIT = Duration.ofSeconds(20);

  Capabilities {
    apiVersions = List.copyOf(apiVersions);
    kinds = Map.copyOf(kinds);
  }

  /** Where a kind is served. */
  record Served(String plural, boolean namespaced) {}

  Optional<Served> served(ManifestObject object) {
    return Optional.ofNullable(kinds.get(object.apiVersion() + "/" + object.kind()));
  }

  boolean isClusterScoped(ManifestObject object) {
    return served(object).map(it -> !it.namespaced()).orElse(false);
  }

  /** Two requests: servers from 1.30 on tell all kinds at once, older ones only the versions. */
  static Capabilities of(KubernetesClient client) throws InterruptedException {
    var all = new ArrayList<>(List.of("v1"));
    var kinds = new HashMap<String, Served>();
    for (var path : List.of("api", "apis")) {
      var discovery = read(client, path);
      all.addAll(versions(discovery));
      kinds.putAll(kinds(discovery));
    }
    return new Capabilities(client.getKubernetesVersion().getGitVersion(), all, kinds);
  }

  private static JsonNode read(KubernetesClient client, String path) throws InterruptedException {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path)
            .header("Accept", AGGREGATED)
            .build();
    try {
      var answer =
          http.sendAsync(request, String.class).get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      if (!answer.isSuccessful()) {
        throw CliException.failure(
            "the API server answered /%s with %d".formatted(path, answer.code()));
      }
      return new JsonMapper().readTree(answer.body());
    } catch (ExecutionException | TimeoutException failed) {
      throw CliException.failure("/%s: %s".formatted(path, ClusterFailure.of(failed).message()));
    } catch (JsonProcessingException malformed) {
      throw CliException.failure("the API server's answer to /%s is not JSON".formatted(path));
    }
  }

  static Map<String, Served> kinds(JsonNode discovery) {
    var kinds = new HashMap<String, Served>();
    for (var group : discovery.path("items")) {
      var name = group.path("metadata").path("name").asText("");
      for (var version : group.path("versions")) {
        var served = (name.isEmpty() ? "" : name + "/") + version.path("version").asText();
        for (var resource : version.path("resources")) {
          kinds.put(
              served + "/" + resource.path("responseKind").path("kind").asText(),
              new Served(
                  resource.path("resource").asText(),
                  resource.path("scope").asText().equals("Namespaced")));
        }
      }
    }
    return kinds;
  }

  static List<String> versions(JsonNode discovery) {
    var versions = new ArrayList<String>();
    for (var group : discovery.path("items")) {
      var name = group.path("metadata").path("name").asText("");
      for (var version : group.path("versions")) {
        var served = (name.isEmpty() ? "" : name + "/") + version.path("version").asText();
        versions.add(served);
        for (var resource : version.path("resources")) {
          versions.add(served + "/" + resource.path("responseKind").path("kind").asText());
        }
      }
    }
    for (var group : discovery.path("groups")) {
      group.path("versions").forEach(it -> versions.add(it.path("groupVersion").asText()));
    }
    return versions;
  }
}
