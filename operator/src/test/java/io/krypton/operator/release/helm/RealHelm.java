// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.helm.HelmClient.OperationListener;
import io.krypton.operator.release.helm.cli.HelmCli;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The real program, and eyes of our own on what it did in a namespace of a real cluster. */
public record RealHelm(TestNamespace namespace, Path directory, HelmCli cli)
    implements AutoCloseable {

  public static RealHelm in(TestNamespace namespace, Path directory) {
    return new RealHelm(
        namespace, directory, new HelmCli(settings(directory), OperationListener.NONE));
  }

  public static Path program() {
    return Assets.fromEnvironment().find(Binary.HELM);
  }

  public static HelmSettings settings(Path directory) {
    return new HelmSettings(
        program().toString(),
        directory.resolve("data"),
        new ConcurrencyLimits(8, 8),
        128,
        5,
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        Map.of());
  }

  public TestOperations release(String name) {
    return as(name, namespace.controlPlane().adminKubeconfig());
  }

  public TestOperations as(String name, String kubeconfig) {
    return TestOperations.on(namespace.controlPlane().name(), namespace.name(), name, kubeconfig);
  }

  public ReleaseHistory history(String release) {
    var revisions =
        secrets(release)
            .valueStream()
            .map(
                secret ->
                    new ObjectMapper().convertValue(secret.path("metadata"), ObjectMeta.class))
            .flatMap(metadata -> ReleaseSecret.revision(metadata).stream())
            .toList();
    return new ReleaseHistory(revisions);
  }

  /** The Secrets of a release, as the API server has them. */
  public JsonNode secrets(String release) {
    var selector = "?labelSelector=owner%3Dhelm,name%3D" + release;
    return get(namespace.path() + "/secrets" + selector).path("items");
  }

  /**
   * Whether Helm waits for the hook of {@link TestCharts#HOOK}. While it only gets there, it still
   * writes the release, and a signal may be answered by one write and undone by the other.
   */
  public boolean waitsForHook(String release) {
    var job = "/apis/batch/v1/namespaces/%s/jobs/%s-hook".formatted(namespace.name(), release);
    return namespace.controlPlane().admin().get(job).ok();
  }

  public JsonNode get(String path) {
    return namespace.controlPlane().admin().get(path).orThrow();
  }

  /** What Helm itself says, asked as a user would. */
  public String ask(String... question) throws IOException {
    var kubeconfig = directory.resolve("users-kubeconfig");
    Files.writeString(kubeconfig, namespace.controlPlane().adminKubeconfig());
    var command = new ArrayList<>(List.of(program().toString()));
    command.addAll(List.of(question));
    command.addAll(List.of("--kubeconfig", kubeconfig.toString(), "--namespace", namespace.name()));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    cli.close();
  }
}
