// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.ReleaseInspector.Scope;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** A release that real Helm installed, and an inspection of it whose requests are counted. */
final class InspectedRelease implements AutoCloseable, InstantSource {
  private final TestNamespace namespace;
  private final Path directory;
  private final RealHelm helm;
  private final KubernetesClient client;
  private final TargetCluster target;
  private final AtomicReference<Runnable> beforeDryRun = new AtomicReference<>(() -> {});
  private final List<String> dryRuns = new CopyOnWriteArrayList<>();
  private ClusterInventory objects;
  private Duration later = Duration.ZERO;
  private int revision;

  InspectedRelease(TestNamespace namespace, Path directory) {
    this.namespace = namespace;
    this.directory = directory;
    this.helm = RealHelm.in(namespace, directory);
    var kubeconfig = namespace.controlPlane().adminKubeconfig();
    this.client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(kubeconfig))
            .withHttpClientBuilderConsumer(http -> http.addOrReplaceInterceptor("seen", new Seen()))
            .build();
    this.target =
        new TargetCluster(
            "test", client, () -> new HelmKubeconfig(kubeconfig), unused("n"), unused("r"));
    this.objects = newObjects();
  }

  private ObjectCache<PartialObjectMetadata> unused(String name) {
    var nothing = new MetadataSelection("", "v1", "secrets", "", "");
    return new MetadataCache(name, client, nothing, Map.of());
  }

  private ClusterInventory newObjects() {
    return new ClusterInventory("test", client, (namespace, release) -> {}, this);
  }

  private final class Seen implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      if (String.valueOf(request.uri().getQuery()).contains("dryRun=All")) {
        dryRuns.add(request.uri().getPath());
        beforeDryRun.getAndSet(() -> {}).run();
      }
    }
  }

  /** The next one only. */
  void beforeTheNextDryRun(Runnable action) {
    beforeDryRun.set(action);
  }

  int dryRuns() {
    return dryRuns.size();
  }

  @Override
  public Instant instant() {
    return Instant.now().plus(later);
  }

  void timePasses(Duration duration) {
    later = later.plus(duration);
  }

  /** A chart with these objects. */
  Path chart(String version, String objects) {
    try {
      var chart = Files.createDirectories(directory.resolve("chart-" + version));
      Files.writeString(
          chart.resolve("Chart.yaml"), "apiVersion: v2\nname: c\nversion: " + version + "\n");
      Files.createDirectories(chart.resolve("templates"));
      Files.writeString(chart.resolve("templates/objects.yaml"), objects);
      return chart;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void install(Path chart) {
    assertThat(helm.client().run(helm.release("web").install(chart)))
        .isInstanceOf(HelmResult.Done.class);
    revision = 1;
  }

  void upgrade(Path chart) {
    assertThat(helm.client().run(helm.release("web").upgrade(chart, Map.of())))
        .isInstanceOf(HelmResult.Done.class);
    revision++;
  }

  /** As another process would look at it. */
  void restart() {
    objects.close();
    objects = newObjects();
  }

  InspectionResult inspect(Scope scope) {
    var release =
        new DeployedRelease(
            new ReleaseName("web"),
            namespace.name(),
            revision,
            uid(),
            new Fingerprint("0".repeat(64)),
            "c:1");
    try {
      return objects.inspect(target, release, scope);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String uid() {
    return helm.history("web").latest().orElseThrow().uid();
  }

  /** Once the watches are in step. */
  InspectionResult inspectSynced(Scope scope) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> inspect(scope), InspectionResult::complete);
  }

  /** The length of what the inspection's cache holds of an object, as JSON. */
  int kept(ObjectRef.Kind kind, String plural, String name) {
    var cached =
        objects.cached(new KindDiscovery.ServedKind(kind, plural, true), namespace.name(), name);
    return client.getKubernetesSerialization().asJson(cached.orElseThrow()).length();
  }

  JsonNode get(String path) {
    return helm.get(path);
  }

  boolean exists(String path) {
    return namespace.controlPlane().admin().get(path).ok();
  }

  /** As kubectl with this field manager would do it. */
  void edit(String manager, String path, String type, String body) {
    send("PATCH", path + "?fieldManager=" + manager, "application/" + type + "+json", body)
        .orThrow();
  }

  ApiResponse send(String method, String path, String type, String body) {
    var admin = namespace.controlPlane().admin();
    return admin.send(
        admin
            .request(path)
            .header("Content-Type", type)
            .method(method, BodyPublishers.ofString(body)));
  }

  void delete(String path) {
    namespace.controlPlane().admin().delete(path).orThrow();
  }

  String in(String api, String resource) {
    return "%s/namespaces/%s/%s".formatted(api, namespace.name(), resource);
  }

  String namespace() {
    return namespace.name();
  }

  @Override
  public void close() {
    objects.close();
    helm.close();
    client.close();
  }
}
