// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Annotations;
import io.krypton.api.Crds;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantSpec;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What one release costs the API server, by its audit log, and what users read of it. */
@ExtendWith(ControlPlaneExtension.class)
class TenantRequestsIT {
  private static final int TENANTS = 20;
  private static final String USER = "counted";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** No step lasts so long that it is told of. */
  private static final Executor NEVER = task -> {};

  private static final List<String> INSTALLED =
      List.of(
          "ClusterProgress/edge False/InstallComplete",
          "ClusterReady/edge True/Installed",
          "Ready True/Deployed",
          "Reconciling False/Idle",
          "Stalled False/NotStalled");

  private static final List<String> INSTALLING =
      List.of(
          "ClusterProgress/edge True/Installing",
          "Ready Unknown/Progressing",
          "Reconciling True/Progressing",
          "Stalled False/NotStalled");

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  @TempDir private Path directory;
  private Path archive;
  private ControlPlane plane;
  private KubernetesClient admin;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own)
      throws Exception {
    plane = home;
    namespace = own.name();
    archive = Files.writeString(directory.resolve("web.tgz"), "chart");
    admin = clients.connect("admin", access(plane.adminKubeconfig()), TenantLife.fast()).client();
    admin.resource(Crds.tenant()).forceConflicts().serverSideApply();
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> admin.resources(Tenant.class).inNamespace(namespace).list() != null);
  }

  @AfterEach
  void close() throws Exception {
    ReadyTenants.release(admin, tenants());
    admin.close();
    clients.close();
  }

  private static ParsedKubeconfig.Accepted access(String kubeconfig) {
    return (ParsedKubeconfig.Accepted)
        ParsedKubeconfig.parse(kubeconfig.getBytes(StandardCharsets.UTF_8));
  }

  private TenantLife life(Executor afterDelay) {
    var user = access(plane.kubeconfigFor(USER, "system:masters"));
    return new TenantLife(admin, user, archive, Set.of(namespace), afterDelay);
  }

  private String name(int number) {
    return namespace + "-" + number;
  }

  private List<String> names() {
    return IntStream.range(0, TENANTS).mapToObj(this::name).toList();
  }

  private void create(String name) {
    var tenant = new Tenant();
    tenant.getMetadata().setNamespace(namespace);
    tenant.getMetadata().setName(name);
    admin.resource(tenant).create();
  }

  private List<Tenant> tenants() {
    return admin.resources(Tenant.class).inNamespace(namespace).list().getItems();
  }

  private Tenant tenant(String name) {
    return admin.resources(Tenant.class).inNamespace(namespace).withName(name).require();
  }

  private List<String> conditions(String name) {
    return tenant(name).getStatus().conditions().stream()
        .map(
            it ->
                "%s %s/%s"
                    .formatted(
                        it.type(),
                        it.status().name().charAt(0)
                            + it.status().name().substring(1).toLowerCase(Locale.ROOT),
                        it.reason()))
        .sorted()
        .toList();
  }

  /** The reasons of all events of each Tenant, each as often as it was told. */
  private Map<String, List<String>> events() {
    var all = new TreeMap<String, List<String>>();
    admin.v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getInvolvedObject().getKind().equals("Tenant"))
        .sorted(Comparator.comparing(Event::getReason).thenComparing(Event::getMessage))
        .forEach(
            event -> {
              for (var i = 0; i < event.getCount(); i++) {
                all.computeIfAbsent(
                        event.getInvolvedObject().getName(), first -> new CopyOnWriteArrayList<>())
                    .add(event.getReason());
              }
            });
    return all;
  }

  private int toldOf(List<String> names) {
    var events = events();
    return names.stream().mapToInt(name -> events.getOrDefault(name, List.of()).size()).sum();
  }

  /** Nobody waits for the chart afterwards, and the kinds it holds are watched. */
  private void warmUp(TenantLife life) {
    create(namespace);
    awaitRevision(List.of(namespace), 1);
    await().until(() -> phasesTold().contains("Ready") && life.isAtRest());
  }

  private List<String> phasesTold() {
    return admin.v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals("PhaseSet"))
        .map(Event::getMessage)
        .toList();
  }

  private void awaitRevision(List<String> names, int revision) {
    await()
        .atMost(LIMIT)
        .until(
            () ->
                names.stream()
                    .map(this::tenant)
                    .allMatch(
                        it ->
                            it.getStatus().releases().stream()
                                .anyMatch(
                                    release -> Objects.equals(release.revision(), revision))));
  }

  private static Map<String, Long> kinds(AuditTrail trail) {
    return trail.per(
        it ->
            it.verb()
                + " "
                + it.resource()
                + (it.subresource().isEmpty() ? "" : "/" + it.subresource()));
  }

  /** Without what keeps a connection and its watches alive. */
  private AuditTrail requests(ApiAudit.Mark since) {
    return plane
        .audit()
        .since(since)
        .by(USER)
        .only(it -> !it.verb().equals("watch") && !it.uri().startsWith("/version"));
  }

  @Test
  void a_burst_of_tenants_costs_nine_requests_each_and_an_upgrade_six() {
    var names = names();
    try (var life = life(NEVER)) {
      life.helm.tell();
      warmUp(life);

      var begin = plane.audit().mark();
      names.forEach(this::create);
      awaitRevision(names, 1);
      await().atMost(LIMIT).until(() -> toldOf(names) == 5 * TENANTS && life.isAtRest());
      var installs = requests(begin);
      assertThat(kinds(installs))
          .containsEntry("create namespaces", (long) TENANTS)
          .containsEntry("patch tenants", 2L * TENANTS)
          .containsEntry("patch tenants/status", (long) TENANTS)
          .containsEntry("create events", 5L * TENANTS)
          .doesNotContainKey("get secrets");
      // A watch that is late costs a read.
      assertThat(installs.size()).isBetween(9 * TENANTS, 10 * TENANTS);
      assertThat(installs.records()).noneMatch(it -> it.code() >= 400);
      assertThat(names).allSatisfy(name -> finalizerComesFirst(installs, name));
      assertThat(names).allSatisfy(this::isInstalled);

      var change = plane.audit().mark();
      names.forEach(this::changeValues);
      awaitRevision(names, 2);
      await().atMost(LIMIT).until(() -> toldOf(names) == 8 * TENANTS && life.isAtRest());
      var upgrades = requests(change);
      assertThat(kinds(upgrades))
          .containsEntry("patch tenants", (long) TENANTS)
          .containsEntry("patch tenants/status", (long) TENANTS)
          .containsEntry("create events", 3L * TENANTS)
          .doesNotContainKey("get secrets");
      // The history is read from the server before anything is changed, and may be read after it.
      assertThat(upgrades.size()).isBetween(6 * TENANTS, 7 * TENANTS);
      assertThat(upgrades.records()).noneMatch(it -> it.code() >= 400);
      assertThat(names).allSatisfy(this::isUpgraded);
    }
  }

  private static void finalizerComesFirst(AuditTrail trail, String name) {
    var patched = first(trail, "patch", "tenants", name);
    assertThat(patched).isNotNegative().isLessThan(first(trail, "create", "namespaces", name));
  }

  private static int first(AuditTrail trail, String verb, String resource, String name) {
    var records = trail.records();
    return IntStream.range(0, records.size())
        .filter(it -> isAbout(records.get(it), verb, resource, name))
        .findFirst()
        .orElse(-1);
  }

  private static boolean isAbout(AuditRecord it, String verb, String resource, String name) {
    return it.verb().equals(verb) && it.resource().equals(resource) && it.name().equals(name);
  }

  private void isInstalled(String name) {
    var tenant = tenant(name);
    assertThat(conditions(name)).isEqualTo(INSTALLED);
    assertThat(tenant.getStatus().observedGeneration())
        .isEqualTo(tenant.getMetadata().getGeneration());
    assertThat(tenant.getMetadata().getAnnotations())
        .containsEntry(
            Annotations.fingerprint("edge"),
            tenant.getStatus().releases().getFirst().fingerprint());
    assertThat(events().get(name))
        .containsExactly(
            "FingerprintUpdated",
            "HelmInstallStart",
            "HelmInstalled",
            "PhaseSet",
            "WorkspaceCreated");
  }

  private void isUpgraded(String name) {
    var tenant = tenant(name);
    assertThat(conditions(name))
        .containsExactly(
            "ClusterProgress/edge False/UpgradeComplete",
            "ClusterReady/edge True/Upgraded",
            "Ready True/Deployed",
            "Reconciling False/Idle",
            "Stalled False/NotStalled");
    assertThat(tenant.getStatus().observedGeneration())
        .isEqualTo(tenant.getMetadata().getGeneration());
    assertThat(tenant.getMetadata().getAnnotations())
        .containsEntry(
            Annotations.fingerprint("edge"),
            tenant.getStatus().releases().getFirst().fingerprint());
    assertThat(events().get(name))
        .containsExactly(
            "FingerprintUpdated",
            "FingerprintUpdated",
            "HelmInstallStart",
            "HelmInstalled",
            "HelmUpgradeStart",
            "HelmUpgraded",
            "PhaseSet",
            "WorkspaceCreated");
  }

  private void changeValues(String name) {
    admin
        .resources(Tenant.class)
        .inNamespace(namespace)
        .withName(name)
        .edit(
            it -> {
              it.setSpec(
                  new TenantSpec(null, null, false, Map.of("message", "changed"), List.of()));
              return it;
            });
  }

  @Test
  void an_engine_that_tells_nothing_costs_one_read_more() {
    try (var life = life(NEVER)) {
      warmUp(life);
      var begin = plane.audit().mark();
      create(name(0));
      awaitRevision(List.of(name(0)), 1);
      await().until(() -> toldOf(List.of(name(0))) == 5 && life.isAtRest());

      assertThat(kinds(requests(begin))).containsEntry("get secrets", 1L);
      isInstalled(name(0));
    }
  }

  @Test
  void a_tenant_that_waits_for_its_turn_has_a_finalizer_and_no_namespace_and_costs_no_more() {
    var name = name(0);
    try (var life = life(NEVER)) {
      life.helm.tell();
      warmUp(life);
      life.helm.refuseTurns(true);
      var begin = plane.audit().mark();
      create(name);
      await().until(() -> !tenant(name).getMetadata().getFinalizers().isEmpty());
      // The change that is the finalizer has it reconciled once more.
      await().until(life::isAtRest);
      assertThat(kinds(requests(begin))).isEqualTo(Map.of("patch tenants", 1L));

      life.helm.refuseTurns(false);
      annotate(name, "example.com/turn", "now");
      awaitRevision(List.of(name), 1);
      await().until(() -> toldOf(List.of(name)) == 5 && life.isAtRest());

      isInstalled(name);
      assertThat(requests(begin).size()).isBetween(9, 10);
    }
  }

  private void annotate(String name, String key, String value) {
    admin
        .resources(Tenant.class)
        .inNamespace(namespace)
        .withName(name)
        .edit(
            it -> {
              it.getMetadata().setAnnotations(Map.of(key, value));
              return it;
            });
  }

  @Test
  void a_step_that_lasts_shows_while_it_does() {
    var name = name(0);
    var seen = new CopyOnWriteArrayList<List<String>>();
    try (var life = life(Runnable::run)) {
      warmUp(life);
      life.helm.before(
          operation -> {
            seen.add(conditions(name));
            return null;
          });
      create(name);
      awaitRevision(List.of(name), 1);
      await().until(() -> toldOf(List.of(name)) == 6 && life.isAtRest());

      assertThat(seen).containsExactly(INSTALLING);
      assertThat(conditions(name)).isEqualTo(INSTALLED);
      assertThat(phasesTold()).contains("Pending");
    }
  }

  @Test
  void an_operator_that_ends_within_a_step_leaves_a_tenant_that_the_next_one_rolls_out() {
    var name = name(0);
    var begun = new CountDownLatch(1);
    try (var life = life(NEVER)) {
      warmUp(life);
      life.helm.before(
          operation -> {
            begun.countDown();
            return untilStopped();
          });
      create(name);
      await().until(() -> begun.getCount() == 0);
      assertThat(tenant(name).getMetadata().getFinalizers()).containsExactly(Finalizers.TENANT);
      assertThat(conditions(name)).isEmpty();
    }
    assertThat(conditions(name)).as("nothing is written by an operator that has ended").isEmpty();
    try (var next = life(NEVER)) {
      awaitRevision(List.of(name), 1);
      await().until(next::isAtRest);

      assertThat(conditions(name)).isEqualTo(INSTALLED);
    }
  }

  private static HelmResult untilStopped() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return new HelmResult.Stopped();
  }

  @Test
  void a_run_that_ends_without_a_result_leaves_what_it_was_doing() {
    var name = name(0);
    try (var life = life(NEVER)) {
      warmUp(life);
      life.helm.before(operation -> new HelmResult.Unreachable("no route to host"));
      create(name);
      await().until(() -> !conditions(name).isEmpty() && life.isAtRest());

      assertThat(conditions(name)).isEqualTo(INSTALLING);
    }
  }
}
