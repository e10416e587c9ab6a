// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReferencedSecretWatcherIT {
  private static final int MANY = 300;
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final String MISSING = "missing";

  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final Map<SecretRef, String> states = new ConcurrentHashMap<>();
  private final ClientFactory clients = new ClientFactory(this::count);
  private ClusterConnection home;
  private ReferencedSecretWatcher named;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own) {
    namespace = own.name();
    home =
        clients.connect(
            "home",
            (ParsedKubeconfig.Accepted)
                ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8)),
            ClientSettings.remote("test").withoutRetries().withRate(1000, 1000));
    named = new ReferencedSecretWatcher(home.client(), this::note);
  }

  @AfterEach
  void close() {
    named.close();
    home.close();
    clients.close();
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(what, first -> new LongAdder()).increment();
  }

  private long requests(String what) {
    return requests.getOrDefault(what, new LongAdder()).sum();
  }

  private void note(SecretRef ref, @Nullable Secret secret) {
    if (ref.name().startsWith("poison")) {
      throw new IllegalStateException("a bug in the listener");
    }
    states.put(ref, secret == null ? MISSING : secret.getData().get("value"));
  }

  private SecretRef ref(int number) {
    return new SecretRef(namespace, "region-" + number);
  }

  private void write(int number, String value) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName("region-" + number)
            .endMetadata()
            .addToData("value", value)
            .build();
    home.client().resource(secret).createOr(existing -> existing.update());
  }

  @Test
  void one_watch_follows_them_all_and_each_change_is_read_once() {
    for (int i = 0; i < MANY; i++) {
      write(i, "b25l");
    }
    for (int i = 0; i < MANY + 50; i++) {
      named.follow(ref(i));
    }
    await().atMost(SOON).until(() -> states.size() == MANY + 50);
    assertThat(states.values().stream().filter("b25l"::equals)).hasSize(MANY);
    assertThat(named.isMissing(ref(MANY))).isTrue();
    assertThat(named.isMissing(ref(0))).isFalse();
    await().atMost(SOON).until(() -> requests("WATCH") == 1);
    assertThat(requests("unanswered")).isZero();

    var before = requests("GET");
    write(0, "dHdv");
    write(MANY, "dHdv");
    home.client().secrets().inNamespace(namespace).withName("region-1").delete();
    await().atMost(SOON).until(() -> MISSING.equals(states.get(ref(1))));
    await().atMost(SOON).until(() -> "dHdv".equals(states.get(ref(0))));
    await().atMost(SOON).until(() -> "dHdv".equals(states.get(ref(MANY))));
    assertThat(named.isMissing(ref(1))).isTrue();
    // Two of them to see whether there is something to replace.
    assertThat(requests("GET") - before).isLessThanOrEqualTo(5);
    assertThat(requests("WATCH")).isEqualTo(1);
  }

  @Test
  void nothing_is_told_of_what_is_no_longer_followed() {
    named.follow(ref(0));
    named.follow(ref(1));
    await().atMost(SOON).until(() -> states.size() == 2);

    named.unfollow(ref(0));
    write(0, "b25l");
    write(1, "b25l");

    await().atMost(SOON).until(() -> "b25l".equals(states.get(ref(1))));
    assertThat(states).containsEntry(ref(0), MISSING);
    assertThat(named.isMissing(ref(0))).isFalse();
  }

  @Test
  void a_listener_that_fails_on_one_stops_none_of_the_others() {
    write(0, "b25l");
    named.follow(new SecretRef(namespace, "poison"));
    named.follow(ref(0));
    await().atMost(SOON).until(() -> "b25l".equals(states.get(ref(0))));
  }

  @Test
  void what_may_not_be_read_is_not_missing_and_is_tried_again(@Cluster("home") ControlPlane plane) {
    write(0, "b25l");
    var nobody =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(plane.kubeconfigFor("nobody").getBytes(StandardCharsets.UTF_8));
    try (var poor = clients.connect("poor", nobody, ClientSettings.remote("test"));
        var refused = new ReferencedSecretWatcher(poor.client(), this::note)) {
      refused.follow(ref(0));
      await().atMost(SOON).until(() -> requests("GET") > 2);
      assertThat(refused.isMissing(ref(0))).as("not to be allowed is not to be missing").isFalse();
      assertThat(states).isEmpty();
    }
  }
}
