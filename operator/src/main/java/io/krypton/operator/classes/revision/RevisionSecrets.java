// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.krypton.api.KryptonApi;
import io.krypton.api.Labels;
import io.krypton.api.rollout.TargetSelector;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.classes.revision.CentralValues.ForClusters;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartRef.RepoSecrets;
import io.krypton.operator.release.values.ChartValues;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A revision as a Secret on home, since it may hold values of Secrets. The stable revision must
 * survive the operator, and the class does not show any more what it was.
 */
public final class RevisionSecrets {
  public static final String TYPE = KryptonApi.GROUP + "/class-revision";
  private static final String KEY = "revision.json";
  private static final JsonMapper JSON = new JsonMapper();

  private RevisionSecrets() {}

  static String name(String className, int number) {
    return className + "-r" + number;
  }

  /** As it is stored. Nothing of it is written to a log. */
  private record Stored(
      int number,
      StoredChart chart,
      String digest,
      JsonNode referenced,
      List<StoredLayer> byCluster,
      JsonNode inline,
      Set<String> secrets) {}

  private record StoredChart(
      String repo,
      String name,
      String version,
      @Nullable String credentialsSecret,
      @Nullable String caSecret) {}

  private record StoredLayer(TargetSelector clusters, JsonNode values) {}

  /** The Secret of a revision, without its owner. */
  static Secret encode(ClassRevision revision, String namespace) {
    var secrets = new HashSet<String>();
    var values = revision.values();
    secrets.addAll(values.referenced().secrets());
    var stored =
        new Stored(
            revision.number(),
            stored(revision.chart()),
            revision.digest(),
            json(values.referenced()),
            values.byCluster().stream()
                .map(some -> new StoredLayer(some.clusters(), json(some.values())))
                .toList(),
            json(values.inline()),
            secrets);
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name(revision.className(), revision.number()))
        .addToLabels(Labels.CLASS, revision.className())
        .endMetadata()
        .withType(TYPE)
        .withImmutable(true)
        .addToData(KEY, Base64.getEncoder().encodeToString(bytes(stored)))
        .build();
  }

  private static StoredChart stored(ChartRef chart) {
    var secrets = chart.secrets();
    return new StoredChart(
        chart.repo(),
        chart.name(),
        chart.version(),
        secrets == null || secrets.credentials() == null ? null : secrets.credentials().name(),
        secrets == null || secrets.authority() == null ? null : secrets.authority().name());
  }

  /** Empty for what is no revision, or of a version that stored it in another way. */
  static Optional<ClassRevision> decode(String className, Secret secret) {
    var data = secret.getData() == null ? null : secret.getData().get(KEY);
    if (data == null) {
      return Optional.empty();
    }
    try {
      var json = new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8);
      var stored = JSON.readValue(json, Stored.class);
      var namespace = secret.getMetadata().getNamespace();
      var byCluster = new ArrayList<ForClusters>();
      for (var layer : stored.byCluster()) {
        byCluster.add(new ForClusters(layer.clusters(), values(layer.values())));
      }
      return Optional.of(
          ClassRevision.of(
              className,
              stored.number(),
              chart(stored.chart(), namespace),
              stored.digest(),
              new CentralValues(
                  values(stored.referenced()).hiding(stored.secrets()),
                  byCluster,
                  values(stored.inline()))));
    } catch (JsonProcessingException | IllegalArgumentException unreadable) {
      return Optional.empty(); // Not its message, which may quote a value.
    }
  }

  private static ChartRef chart(StoredChart stored, String namespace) {
    return ChartRef.of(stored.repo(), stored.name(), stored.version())
        .openedBy(secrets(namespace, stored.credentialsSecret(), stored.caSecret()));
  }

  /** Null if the repository is open to everybody. */
  static @Nullable RepoSecrets secrets(
      String namespace, @Nullable String credentials, @Nullable String authority) {
    return credentials == null && authority == null
        ? null
        : new RepoSecrets(ref(namespace, credentials), ref(namespace, authority));
  }

  private static @Nullable SecretRef ref(String namespace, @Nullable String name) {
    return name == null ? null : new SecretRef(namespace, name);
  }

  private static byte[] bytes(Stored stored) {
    try {
      return JSON.writeValueAsBytes(stored);
    } catch (JsonProcessingException bug) {
      throw new IllegalStateException("values hold something that JSON cannot express", bug);
    }
  }

  private static JsonNode json(ChartValues values) {
    try {
      return JSON.readTree(values.json());
    } catch (JsonProcessingException bug) {
      throw new IllegalStateException("values are no JSON", bug);
    }
  }

  private static ChartValues values(JsonNode json) {
    Map<String, @Nullable Object> tree = JSON.convertValue(json, new TypeReference<>() {});
    return ChartValues.of(tree);
  }
}
