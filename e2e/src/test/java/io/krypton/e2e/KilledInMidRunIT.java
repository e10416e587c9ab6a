// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.e2e.ReleaseJournal.StoredRevision;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Operators and their Helm workers are killed (SIGKILL) at any moment while Tenants are installed
 * and changed, and nobody cleans up. What is shown:
 *
 * <ul>
 *   <li>In the end each Tenant is Ready with the values it was given last, in one deployed
 *       revision, the newest.
 *   <li>Nothing is applied twice: no values of a release are deployed by a second install or
 *       upgrade, however many kills there were, and none begins on a release that has them
 *       deployed. Only what a kill cut short is done again, after its unlock: an operator leaves at
 *       most as many unfinished revisions of one release as there were kills of it and its workers.
 *   <li>What was deployed is never uninstalled.
 *   <li>No release is written by two operators at once: each has a user of its own, and by the
 *       audit log none of them writes to a workspace once a later one has. Workers of one operator
 *       share its user; of them the unfinished revisions tell, as above.
 *   <li>No process and no file of an operator or worker that was killed is left.
 * </ul>
 *
 * <p>The whole size, from the root of the tree, with a distribution in {@code dist/}:
 *
 * <pre>
 * tools/maven -q -pl e2e -am verify -Dtest=NONE -Dit.test=KilledInMidRunIT -Dkills=100 -Dkills.tenants=300
 *   -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>{@code -Dkills.seed=7} draws the same kills and changes again; what they meet is not the same.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(2)
class KilledInMidRunIT {
  private static final int KILLS = Integer.getInteger("kills", 10);
  private static final int TENANTS = Integer.getInteger("kills.tenants", 25);
  private static final int SEED = Integer.getInteger("kills.seed", new Random().nextInt(1_000_000));

  /** Of the releases, this part gets other values before each kill. */
  private static final int CHANGED_PART = 8;

  private static final int LONGEST_PAUSE_MILLIS = 300;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private static final String NAME = "killed";
  private static final String CLUSTER = "killed-edge";
  private static final String USER = "killed-run-";
  private static final List<String> WRITES = List.of("create", "update", "patch", "delete");

  @TempDir Path directory;

  private final Random random = new Random(SEED);
  private final Map<String, String> wanted = new TreeMap<>();

  /** How many kills each operator process has met, in the order of their starts. */
  private final Map<Long, Integer> kills = new LinkedHashMap<>();

  private final List<ProcessHandle> workers = new ArrayList<>();
  private final ControlPlane home;
  private final ControlPlane edge;
  private final Tenants tenants;
  private Operator operator;
  private int edits;
  private int workersKilled;
  private long cutInFlight;

  KilledInMidRunIT(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) {
    this.home = home;
    this.edge = edge;
    this.tenants = new Tenants(edge, NAME, CLUSTER);
  }

  @BeforeEach
  void prepare() throws IOException {
    Fleet.namespace(home, NAME);
    Fleet.namespace(edge, NAME);
    Fleet.register(home, NAME, CLUSTER, userOf(1));
    operator = start();
  }

  @AfterEach
  void stop() {
    operator.close();
  }

  @Test
  void whatever_dies_in_the_middle_nothing_is_lost_and_nothing_is_done_twice() throws Exception {
    System.out.printf("kills=%d kills.tenants=%d kills.seed=%d%n", KILLS, TENANTS, SEED);
    var mark = edge.audit().mark();
    var watcher = new KubeApi(edge.access(NAME + "-journal", "system:masters"));
    try (var journal = new ReleaseJournal(watcher, "tenant-" + NAME)) {
      eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
      for (var i = 0; i < TENANTS; i++) {
        var name = NAME + "-" + i;
        wanted.put(name, "first");
        tenants.create(name, values("first"));
      }
      for (var kill = 0; kill < KILLS; kill++) {
        changeSome();
        killSomething(journal);
      }
      awaitAllDone();
      journal.catchUp(NAME);
      System.out.printf(
          "operators killed: %d, workers killed: %d, operations in flight at the kills: %d,"
              + " revisions: %d, of them unfinished: %d, values changed: %d%n",
          KILLS - workersKilled,
          workersKilled,
          cutInFlight,
          journal.revisions().size(),
          journal.revisions().stream().filter(it -> !it.wasDeployed()).count(),
          edits);
      assertThat(journal.violations()).as(operator.log()).isEmpty();
      assertReleases();
      assertNothingTwice(journal);
      assertOneWriterAfterTheOther(edge.audit().since(mark).records());
      assertNothingIsLeft();
    }
  }

  private Operator start() throws IOException {
    var started =
        Operators.start(
            directory,
            home,
            NAME,
            List.of(
                "-chart-repo=" + Operators.chart("app"),
                "-chart-name=app",
                "-chart-version=0.1.0",
                "--watch-namespaces=" + NAME,
                "--helm-engine=worker",
                "--helm-history-max=1000", // So that whatever is deleted was taken away.
                "--leader-elect=false"));
    assertThat(kills.put(started.handle().pid(), 0)).as("a process number comes again").isNull();
    return started;
  }

  /** Whom the edge takes an operator for, by its number. */
  private String userOf(int run) {
    return edge.kubeconfigFor(USER + run, "system:masters");
  }

  private void changeSome() {
    for (var i = 0; i < Math.max(2, TENANTS / CHANGED_PART); i++) {
      var name = NAME + "-" + random.nextInt(TENANTS);
      var message = "edit-" + ++edits;
      wanted.put(name, message);
      tenants.patch(name, "{\"spec\":%s}".formatted(values(message)));
    }
  }

  private static String values(String message) {
    return "{\"values\":{\"message\":\"%s\"}}".formatted(message);
  }

  /** Mostly while Helm works; every fourth time at any moment after the kill before. */
  private void killSomething(ReleaseJournal journal) throws Exception {
    var pid = operator.handle().pid();
    if (random.nextInt(4) > 0) {
      await("Helm works").atMost(PATIENCE).until(() -> journal.inFlight(pid) > 0);
    }
    var worker = random.nextBoolean();
    LockSupport.parkNanos(random.nextInt(LONGEST_PAUSE_MILLIS) * 1_000_000L);
    if (worker) {
      await("there is a worker").atMost(PATIENCE).until(() -> !workersNow().isEmpty());
    }
    workers.addAll(workersNow());
    kills.merge(pid, 1, Integer::sum);
    cutInFlight += journal.inFlight(pid);
    if (worker) {
      workersNow().forEach(ProcessHandle::destroyForcibly);
      workersKilled++;
    } else {
      operator.kill();
      operator.close();
      nextRun();
    }
  }

  private void nextRun() throws IOException {
    var kubeconfig = userOf(kills.size() + 1).getBytes(StandardCharsets.UTF_8);
    home.admin()
        .merge(
            "/api/v1/namespaces/%s/secrets/%s".formatted(NAME, CLUSTER),
            "{\"data\":{\"kubeconfig\":\"%s\"}}"
                .formatted(Base64.getEncoder().encodeToString(kubeconfig)))
        .orThrow();
    operator = start();
  }

  private List<ProcessHandle> workersNow() {
    return operator
        .handle()
        .descendants()
        .filter(it -> it.info().command().orElse("").endsWith("/krypton-helm"))
        .toList();
  }

  private void awaitAllDone() {
    await("all Ready with the newest values")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(tenants.all())
                  .filteredOn(it -> !it.at("/status/phase").asText().equals("Ready"))
                  .as(operator.log())
                  .isEmpty();
              assertThat(messages()).as(operator.log()).isEqualTo(wanted);
            });
  }

  /** What the ConfigMap of each release says, by Tenant. */
  private Map<String, String> messages() {
    var all = new TreeMap<String, String>();
    tenants
        .object("/api/v1/configmaps?fieldSelector=metadata.name%3Dapp")
        .path("items")
        .valueStream()
        .filter(it -> wanted.containsKey(it.at("/metadata/namespace").asText()))
        .forEach(
            it -> all.put(it.at("/metadata/namespace").asText(), it.at("/data/message").asText()));
    return all;
  }

  /** Helm leaves a revision that was cut short as it was; only the newest one locks a release. */
  private void assertReleases() {
    for (var tenant : wanted.keySet()) {
      assertThat(tenants.revisions(tenant)).as(tenant).endsWith("deployed");
      assertThat(tenants.revisions(tenant)).as(tenant).containsOnlyOnce("deployed");
    }
  }

  private void assertNothingTwice(ReleaseJournal journal) {
    assertThat(journal.deployments()).as("deployed once").allSatisfy((it, n) -> once(it, n));
    journal
        .cutShort()
        .forEach(
            (instance, releases) ->
                assertThat(releases)
                    .as("unfinished revisions that %s left", instance)
                    .allSatisfy(
                        (release, count) ->
                            assertThat(count).as(release).isLessThanOrEqualTo(killsOf(instance))));
    assertThat(journal.revisions().stream().map(StoredRevision::instance).distinct())
        .allMatch(instance -> kills.containsKey(pidOf(instance)));
  }

  private static void once(String content, long count) {
    assertThat(count).as(content).isEqualTo(1);
  }

  private int killsOf(String instance) {
    return kills.getOrDefault(pidOf(instance), 0);
  }

  /** The instance label of a release begins with the number of the operator's process. */
  private static long pidOf(String instance) {
    return Long.parseLong(instance.substring(0, instance.indexOf('-')));
  }

  private static void assertOneWriterAfterTheOther(List<AuditRecord> requests) {
    var latest = new HashMap<String, AuditRecord>();
    requests.stream()
        .filter(it -> it.user().startsWith(USER) && it.namespace().startsWith(NAME + "-"))
        .filter(it -> WRITES.contains(it.verb()) && it.code() < 300)
        .sorted(Comparator.comparing(AuditRecord::at))
        .forEach(
            write -> {
              var before = latest.put(write.namespace(), write);
              assertThat(before == null ? 0 : runOf(before))
                  .as("the run that wrote %s, before %s", before, write)
                  .isLessThanOrEqualTo(runOf(write));
            });
    assertThat(latest).as("what is judged").hasSize(TENANTS);
  }

  private static int runOf(AuditRecord write) {
    return Integer.parseInt(write.user().substring(USER.length()));
  }

  private void assertNothingIsLeft() throws Exception {
    // One that was killed last has its successor after a back-off, with work or without.
    await("the worker of the operator that lives")
        .atMost(PATIENCE)
        .until(() -> workersNow().size() == 1);
    var current = workersNow();
    assertThat(workers).filteredOn(it -> !current.contains(it)).noneMatch(ProcessHandle::isAlive);
    assertThat(processes()).containsOnly(operator.handle(), current.getFirst());
    var runs = directory.resolve("data/helm");
    assertThat(directoriesIn(runs)).as("directories of runs").hasSize(1);
    assertThat(directoriesIn(directoriesIn(runs).getFirst())).as("of workers").hasSize(1);

    assertThat(operator.terminate().exit()).isEqualTo(143);

    assertThat(processes()).isEmpty();
    // Whoever had to cancel an operation leaves its name behind, and nothing in it.
    for (var run : directoriesIn(runs)) {
      assertThat(run).isEmptyDirectory();
    }
  }

  /** All on this machine that name the data directory of this test, or work in it. */
  private List<ProcessHandle> processes() {
    var data = directory.resolve("data").toString();
    return ProcessHandle.allProcesses().filter(it -> about(it).contains(data)).toList();
  }

  private static String about(ProcessHandle process) {
    var files = Path.of("/proc", Long.toString(process.pid()));
    try {
      return Files.readString(files.resolve("cmdline"), StandardCharsets.ISO_8859_1)
          + Files.readSymbolicLink(files.resolve("cwd"));
    } catch (IOException gone) {
      return "";
    }
  }

  private static List<Path> directoriesIn(Path parent) throws IOException {
    try (var all = Files.list(parent)) {
      return all.filter(Files::isDirectory).toList();
    }
  }
}
