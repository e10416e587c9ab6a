// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.process.ServerProcess;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a control plane of its own, because its scheduler and its KWOK go up and down. */
class SimulatedNodesIT {
  private static final int NODES = 3;
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String APPS = "/apis/apps/v1/namespaces/default/";
  private static final String BATCH = "/apis/batch/v1/namespaces/default/";
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String WAITING_REASON = "/status/containerStatuses/0/state/waiting/reason";
  private static final String NOT_READY = "node.kubernetes.io/not-ready";

  private static ControlPlane plane;

  @BeforeAll
  static void start() {
    var begin = System.nanoTime();
    plane = ControlPlane.builder("nodes").withNodes(NODES).start();
    System.out.printf("%d nodes: up after %d ms%n", NODES, (System.nanoTime() - begin) / 1_000_000);
  }

  @AfterAll
  static void close() {
    var servers =
        List.of(plane.scheduler(), plane.kwok(), plane.controllerManager(), plane.apiServer());
    plane.close();
    assertThat(servers).noneMatch(ServerProcess::isAlive);
    assertThat(plane.directory()).doesNotExist();
  }

  @Test
  void all_nodes_are_ready_when_the_start_returns() {
    var nodes = plane.admin().get("/api/v1/nodes").orThrow().path("items");

    assertThat(texts(nodes, "/metadata/name")).containsExactly("node-1", "node-2", "node-3");
    assertThat(nodes)
        .allSatisfy(
            node -> {
              assertThat(conditions(node)).contains("Ready=True", "MemoryPressure=False");
              assertThat(node.at("/spec/taints").isMissingNode()).isTrue();
              assertThat(node.at("/status/allocatable/pods").asText()).isEqualTo("1k");
            });
    assertThat(texts(nodes, "/status/addresses/0/address")).doesNotHaveDuplicates();
  }

  @Test
  void a_deployment_becomes_ready_grows_shrinks_and_goes() {
    create(APPS + "deployments", workload("Deployment", "web", 2, "", "app:1.0"));
    awaitField(APPS + "deployments/web", "/status/readyReplicas", "2");
    assertThat(conditions(get(APPS + "deployments/web"))).contains("Available=True");

    plane.admin().merge(APPS + "deployments/web", "{\"spec\":{\"replicas\":5}}").orThrow();
    awaitField(APPS + "deployments/web", "/status/readyReplicas", "5");
    assertThat(texts(pods("web"), "/status/podIP")).hasSize(5).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(texts(pods("web"), "/spec/nodeName"))).hasSizeGreaterThan(1);

    plane.admin().merge(APPS + "deployments/web", "{\"spec\":{\"replicas\":1}}").orThrow();
    await().atMost(LIMIT).until(() -> pods("web").size() == 1);

    plane.admin().delete(APPS + "deployments/web").orThrow();
    await().atMost(LIMIT).until(() -> pods("web").isEmpty());
  }

  @Test
  void a_rollout_to_a_broken_image_stops_and_a_good_one_ends_it() {
    var path = APPS + "deployments/rolling";
    create(APPS + "deployments", workload("Deployment", "rolling", 3, "", "app:1.0"));
    awaitField(path, "/status/readyReplicas", "3");

    image(path, "app:1.1-broken");
    await()
        .atMost(LIMIT)
        .until(() -> texts(pods("rolling"), WAITING_REASON).contains("ImagePullBackOff"));
    assertThat(get(path).at("/status/readyReplicas").asInt()).isGreaterThanOrEqualTo(2);

    image(path, "app:1.2");
    awaitField(path, "/status/updatedReplicas", "3");
    awaitField(path, "/status/readyReplicas", "3");
    await().atMost(LIMIT).until(() -> pods("rolling").size() == 3);
  }

  @Test
  void a_stateful_set_gets_its_pods_one_by_one_and_their_volumes() {
    var claims =
        """
        ,"serviceName":"db","volumeClaimTemplates":[{"metadata":{"name":"data"},
        "spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}]
        """;
    create(APPS + "statefulsets", workload("StatefulSet", "db", 3, claims, "db:16"));

    awaitField(APPS + "statefulsets/db", "/status/readyReplicas", "3");

    assertThat(texts(pods("db"), "/metadata/name")).containsExactly("db-0", "db-1", "db-2");
    assertThat(texts(get(CORE + "persistentvolumeclaims").path("items"), "/status/phase"))
        .containsExactly("Bound", "Bound", "Bound");
    assertThat(volumes()).hasSize(3);

    plane.admin().delete(APPS + "statefulsets/db").orThrow();
    plane.admin().delete(CORE + "persistentvolumeclaims").orThrow();
    await().atMost(LIMIT).until(() -> volumes().isEmpty());
  }

  @Test
  void a_daemon_set_lands_on_every_node() {
    create(APPS + "daemonsets", workload("DaemonSet", "agent", 0, "", "agent:1"));

    awaitField(APPS + "daemonsets/agent", "/status/numberReady", String.valueOf(NODES));

    assertThat(new TreeSet<>(texts(pods("agent"), "/spec/nodeName"))).hasSize(NODES);
  }

  @Test
  void jobs_complete_fail_or_do_neither() {
    create(BATCH + "jobs", job("good", "task:1", ""));
    create(BATCH + "jobs", job("bad", "task:crash", ""));
    create(BATCH + "jobs", job("stuck", "task:1", SimulatedNodes.NEVER_READY));

    awaitCondition(BATCH + "jobs/good", "Complete=True");
    awaitCondition(BATCH + "jobs/bad", "Failed=True");
    assertThat(get(BATCH + "jobs/stuck").at("/status/active").asInt()).isEqualTo(1);
    assertThat(conditions(get(BATCH + "jobs/stuck"))).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {3} {4}")
  @CsvSource({
    "never-ready, app:1,        sandbox.krypton.io/never-ready, Running, ''",
    "broken,      app:1-broken, '',                             Pending, ImagePullBackOff",
    "crash-image, app:crash,    '',                             Running, CrashLoopBackOff",
    "crash,       app:1,        sandbox.krypton.io/crash,       Running, CrashLoopBackOff",
  })
  void a_marked_pod_never_becomes_ready(
      String name, String image, String annotation, String phase, String waiting) {
    create(CORE + "pods", pod(name, image, annotation, "true", "Always"));

    await().atMost(LIMIT).until(() -> conditions(get(CORE + "pods/" + name)).size() == 4);

    var pod = get(CORE + "pods/" + name);
    assertThat(conditions(pod)).contains("PodScheduled=True", "Initialized=True", "Ready=False");
    assertThat(pod.at("/status/phase").asText()).isEqualTo(phase);
    assertThat(pod.at(WAITING_REASON).asText()).isEqualTo(waiting);
  }

  @Test
  void an_image_is_broken_by_its_tag_only() {
    create(CORE + "pods", pod("name", "registry:5000/crash/broken:1", "", "", "Always"));

    awaitCondition(CORE + "pods/name", "Ready=True");
  }

  @Test
  void a_slow_pod_waits_and_then_runs() {
    create(CORE + "pods", pod("slow", "app:1", SimulatedNodes.READY_AFTER, "1s", "Always"));

    awaitCondition(CORE + "pods/slow", "Ready=True");

    var pod = get(CORE + "pods/slow");
    assertThat(Instant.parse(pod.at("/status/startTime").asText()))
        .isAfter(Instant.parse(pod.at("/metadata/creationTimestamp").asText()));
  }

  @Test
  void a_pod_that_crashes_is_started_again() {
    create(CORE + "pods", pod("loop", "app:crash", "", "", "Always"));
    awaitField(CORE + "pods/loop", "/status/containerStatuses/0/restartCount", "2");
  }

  @Test
  void init_containers_and_sidecars_have_their_states() {
    create(
        CORE + "pods",
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"crew"},"spec":{
          "initContainers":[{"name":"first","image":"first:1"},
            {"name":"sidecar","image":"sidecar:1","restartPolicy":"Always"}],
          "containers":[{"name":"main","image":"app:1"}]}}
        """);

    awaitCondition(CORE + "pods/crew", "Ready=True");

    var init = get(CORE + "pods/crew").at("/status/initContainerStatuses");
    assertThat(init.at("/0/state/terminated/reason").asText()).isEqualTo("Completed");
    assertThat(init.at("/1/state/running").isMissingNode()).isFalse();
  }

  @Test
  void what_happens_while_scheduler_or_kwok_are_down_is_caught_up_with() {
    plane.scheduler().kill();
    create(CORE + "pods", pod("unscheduled", "app:1", "", "", "Always"));
    plane.scheduler().start();
    awaitCondition(CORE + "pods/unscheduled", "Ready=True");

    plane.kwok().kill();
    create(CORE + "pods", pod("unseen", "app:1", "", "", "Always"));
    awaitCondition(CORE + "pods/unseen", "PodScheduled=True");
    assertThat(conditions(get(CORE + "pods/unseen"))).doesNotContain("Ready=True");
    plane.kwok().start();
    awaitCondition(CORE + "pods/unseen", "Ready=True");
  }

  @Test
  void pods_become_ready_again_after_a_restart_of_the_api_server() {
    plane.apiServer().kill();
    plane.apiServer().start();
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(
            () -> {
              var pod = pod("after-restart", "app:1", "", "", "Always");
              return plane.admin().post(CORE + "pods", pod).status() == 409
                  && conditions(get(CORE + "pods/after-restart")).contains("Ready=True");
            });
  }

  @Test
  void a_node_that_is_made_not_ready_stays_so_and_gets_no_pods() {
    var node = "/api/v1/nodes/node-extra";
    create(
        "/api/v1/nodes",
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-extra"},
         "spec":{"taints":[{"key":"test","effect":"NoSchedule"}]}}
        """);
    awaitCondition(node, "Ready=True");

    plane
        .admin()
        .merge(
            node + "/status",
            "{\"status\":{\"conditions\":[{\"type\":\"Ready\",\"status\":\"False\"}]}}")
        .orThrow();
    await()
        .atMost(LIMIT)
        .until(() -> texts(get(node).at("/spec/taints"), "/key").contains(NOT_READY));

    plane.kwok().restart();
    assertThat(conditions(get(node))).containsExactly("Ready=False");
    plane.admin().delete(node).orThrow();
  }

  private static void create(String path, String json) {
    plane.admin().post(path, json).orThrow();
  }

  private static JsonNode get(String path) {
    return plane.admin().get(path).orThrow();
  }

  private static JsonNode pods(String app) {
    return get(CORE + "pods?labelSelector=app=" + app).path("items");
  }

  private static List<String> volumes() {
    return texts(get("/api/v1/persistentvolumes").path("items"), "/metadata/name");
  }

  private static void image(String path, String image) {
    var container = "{\"name\":\"main\",\"image\":\"%s\"}".formatted(image);
    plane
        .admin()
        .merge(
            path, "{\"spec\":{\"template\":{\"spec\":{\"containers\":[%s]}}}}".formatted(container))
        .orThrow();
  }

  private static void awaitField(String path, String field, String value) {
    await().atMost(LIMIT).until(() -> get(path).at(field).asText(), value::equals);
  }

  private static void awaitCondition(String path, String condition) {
    await().atMost(LIMIT).until(() -> conditions(get(path)), it -> it.contains(condition));
  }

  private static List<String> conditions(JsonNode object) {
    return stream(object.at("/status/conditions"))
        .map(it -> it.path("type").asText() + "=" + it.path("status").asText())
        .toList();
  }

  private static List<String> texts(JsonNode list, String pointer) {
    return stream(list).map(it -> it.at(pointer).asText()).toList();
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  private static String workload(
      String kind, String name, int replicas, String more, String image) {
    return """
    {"apiVersion":"apps/v1","kind":"%1$s","metadata":{"name":"%2$s"},"spec":{
      "selector":{"matchLabels":{"app":"%2$s"}}%3$s%4$s,
      "template":{"metadata":{"labels":{"app":"%2$s"}},"spec":{
        "containers":[{"name":"main","image":"%5$s"}]}}}}
    """
        .formatted(kind, name, replicas == 0 ? "" : ",\"replicas\":" + replicas, more, image);
  }

  private static String job(String name, String image, String annotation) {
    return """
    {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"%s"},"spec":{"backoffLimit":0,
      "template":{"metadata":{"annotations":{%s}},"spec":{"restartPolicy":"Never",
        "containers":[{"name":"main","image":"%s"}]}}}}
    """
        .formatted(name, annotated(annotation, "true"), image);
  }

  private static String pod(
      String name, String image, String annotation, String value, String restartPolicy) {
    return """
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","annotations":{%s}},"spec":{
      "restartPolicy":"%s","containers":[{"name":"main","image":"%s"}]}}
    """
        .formatted(name, annotated(annotation, value), restartPolicy, image);
  }

  private static String annotated(String annotation, String value) {
    return annotation.isEmpty() ? "" : "\"%s\":\"%s\"".formatted(annotation, value);
  }
}
