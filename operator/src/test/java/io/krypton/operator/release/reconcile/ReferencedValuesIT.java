// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.reconcile.ReferencedValues.ReadResult;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReferencedValuesIT {
  private static final int NAMESPACES = 200;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final List<ValuesReference> BOTH =
      List.of(
          new ValuesReference(ValuesReference.Kind.CONFIG_MAP, "plain", "values.yaml", false),
          new ValuesReference(ValuesReference.Kind.SECRET, "hidden", "values.yaml", false));

  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final List<WorkKey> changed = new CopyOnWriteArrayList<>();
  private final List<WorkKey> maybeChanged = new CopyOnWriteArrayList<>();
  private final ClientFactory clients = new ClientFactory(this::count);
  private ClusterConnection connection;
  private ReferencedValues values;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own) {
    namespace = own.name();
    connection =
        clients.connect(
            "edge",
            (ParsedKubeconfig.Accepted)
                ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8)),
            ClientSettings.remote("test").withoutRetries().withRate(2000, 2000));
    values =
        new ReferencedValues(
            "edge",
            connection.client(),
            new ReferencedValues.ValuesListener() {
              @Override
              public void changed(WorkKey reader) {
                changed.add(reader);
              }

              @Override
              public void maybeChanged(WorkKey reader) {
                maybeChanged.add(reader);
              }
            });
  }

  @AfterEach
  void close() {
    values.close();
    connection.close();
    clients.close();
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(what, first -> new LongAdder()).increment();
  }

  private long requests(String what) {
    return requests.getOrDefault(what, new LongAdder()).sum();
  }

  private void put(HasMetadata object) {
    connection.client().resource(object).forceConflicts().serverSideApply();
  }

  private void plain(String place, String yaml) {
    put(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(place)
            .withName("plain")
            .endMetadata()
            .addToData("values.yaml", yaml)
            .build());
  }

  private void hidden(String place, String yaml, Map<String, String> annotations) {
    put(
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(place)
            .withName("hidden")
            .withAnnotations(annotations)
            .endMetadata()
            .addToStringData("values.yaml", yaml)
            .build());
  }

  private static WorkKey reader(String place, String name) {
    return new WorkKey("edge", place, name);
  }

  private static ReadResult found(Map<String, ?> tree) {
    return new ReadResult.Found(ChartValues.of(tree));
  }

  @Test
  void two_watches_serve_any_number_of_namespaces() {
    for (int i = 0; i < NAMESPACES; i++) {
      var place = namespace + "-" + i;
      put(new NamespaceBuilder().withNewMetadata().withName(place).endMetadata().build());
      plain(place, "number: " + i);
      hidden(place, "secret: s" + i, Map.of());
    }
    for (int i = 0; i < NAMESPACES; i++) {
      assertThat(values.read(reader(namespace + "-" + i, "tenant"), BOTH))
          .isEqualTo(found(Map.of("number", i, "secret", "s" + i)));
    }
    await().atMost(SOON).until(() -> requests("WATCH") == 2);
    assertThat(requests("unanswered")).isZero();

    var far = reader(namespace + "-" + (NAMESPACES - 1), "tenant");
    plain(far.namespace(), "number: 1000");
    await().atMost(SOON).until(() -> changed.contains(far));
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(values.read(far, BOTH))
                    .isEqualTo(found(Map.of("number", 1000, "secret", "s" + (NAMESPACES - 1)))));
    assertThat(requests("WATCH")).isEqualTo(2);

    // What is known is not asked for again.
    var before = requests("GET");
    for (int i = 0; i < NAMESPACES; i++) {
      values.read(reader(namespace + "-" + i, "tenant"), BOTH);
    }
    assertThat(requests("GET")).isEqualTo(before);
  }

  @Test
  void only_other_values_of_what_is_referred_to_are_told() {
    plain(namespace, "a: 1");
    hidden(namespace, "b: 2", Map.of());
    var tenant = reader(namespace, "tenant");
    var other = reader(namespace, "other");
    assertThat(values.read(tenant, BOTH)).isEqualTo(found(Map.of("a", 1, "b", 2)));
    assertThat(values.read(other, BOTH.subList(0, 1))).isEqualTo(found(Map.of("a", 1)));
    settle(tenant);
    changed.clear();

    // As a failing Helm run writes them.
    for (int i = 1; i <= 5; i++) {
      put(
          new SecretBuilder()
              .withNewMetadata()
              .withNamespace(namespace)
              .withName("sh.helm.release.v1.tenant.v" + i)
              .addToLabels("owner", "helm")
              .endMetadata()
              .withType("helm.sh/release.v1")
              .build());
    }
    hidden(namespace, "b: 2", Map.of("touched", "true"));
    hidden(namespace, "# the same in other words\nb:   2\n", Map.of());
    // The last of them, so that all others were seen before it.
    hidden(namespace, "b: 3", Map.of());
    await().atMost(SOON).until(() -> !changed.isEmpty());

    // The change of the beginning may be told late.
    await()
        .atMost(SOON)
        .until(() -> found(Map.of("a", 1, "b", 3)).equals(values.read(tenant, BOTH)));
    assertThat(changed).containsOnly(tenant);
    assertThat(maybeChanged).isEmpty();
  }

  /** Until a change of it is told, which means that the watches have begun. */
  private void settle(WorkKey reader) {
    hidden(namespace, "b: 20", Map.of());
    await().atMost(SOON).until(() -> changed.contains(reader));
    hidden(namespace, "b: 2", Map.of());
    await()
        .atMost(SOON)
        .until(() -> found(Map.of("a", 1, "b", 2)).equals(values.read(reader, BOTH)));
  }

  @Test
  void what_was_missing_is_told_when_it_comes_and_when_it_goes() {
    plain(namespace, "a: 1");
    var tenant = reader(namespace, "tenant");
    assertThat(values.read(tenant, BOTH))
        .isInstanceOfSatisfying(
            ReadResult.Invalid.class,
            invalid -> assertThat(invalid.reason()).isEqualTo(FailureReason.VALUES_NOT_FOUND));

    hidden(namespace, "b: 2", Map.of());
    await().atMost(SOON).until(() -> changed.contains(tenant));
    assertThat(values.read(tenant, BOTH)).isEqualTo(found(Map.of("a", 1, "b", 2)));

    changed.clear();
    connection.client().configMaps().inNamespace(namespace).withName("plain").delete();
    await().atMost(SOON).until(() -> changed.contains(tenant));
    assertThat(values.read(tenant, BOTH)).isInstanceOf(ReadResult.Invalid.class);
  }

  @Test
  void nothing_is_kept_of_readers_that_are_gone() {
    plain(namespace, "a: 1");
    hidden(namespace, "b: 2", Map.of());
    for (int i = 0; i < 10; i++) {
      values.read(reader(namespace, "tenant-" + i), BOTH);
    }
    assertThat(values.size()).isEqualTo(2);
    for (int i = 0; i < 10; i++) {
      values.forget(reader(namespace, "tenant-" + i));
    }
    assertThat(values.size()).isZero();
  }
}
