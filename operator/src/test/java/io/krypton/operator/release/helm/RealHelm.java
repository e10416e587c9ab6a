// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.decide.ReleaseSecret.StoredRelease;
import io.krypton.operator.release.helm.HelmClient.OperationListener;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Limits;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.helm.choice.ChosenEngine;
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

/** A real engine, and eyes of our own on what it did in a namespace of a real cluster. */
public record RealHelm(
    TestNamespace namespace, Path directory, HelmEngine engine, BoundedHelmClient client)
    implements AutoCloseable {

  /** The engines, for tests that hold for each of them. */
  public enum Engine {
    CLI,
    WORKER;

    /** Without its program the test is skipped. */
    public EngineChoice choice() {
      assumeThat(this == CLI || Files.isExecutable(worker()))
          .as("tools/provide has not built krypton-helm")
          .isTrue();
      return this == CLI ? EngineChoice.CLI : EngineChoice.WORKER;
    }

    /** Its program. */
    public Path program() {
      return this == CLI ? RealHelm.program() : worker();
    }
  }

  /** For tests of what lies around Helm: any engine would do. */
  public static RealHelm in(TestNamespace namespace, Path directory) {
    return in(namespace, directory, Engine.CLI);
  }

  public static RealHelm in(TestNamespace namespace, Path directory, Engine which) {
    return in(namespace, directory, settings(directory, which), WorkerListener.NONE);
  }

  public static RealHelm in(
      TestNamespace namespace, Path directory, HelmSettings settings, WorkerListener listener) {
    var engine = new ChosenEngine(settings, listener);
    return new RealHelm(
        namespace, directory, engine, new BoundedHelmClient(engine, OperationListener.NONE));
  }

  public static Path program() {
    return Assets.fromEnvironment().find(Binary.HELM);
  }

  /** The worker; it need not be there. */
  public static Path worker() {
    return WorkerBinary.PATH;
  }

  /** Asked of the script that knows where it was built to, once. */
  private static final class WorkerBinary {
    private static final Path PATH = find();

    private static Path find() {
      var assets = System.getenv("KRYPTON_ASSETS");
      if (assets != null && Files.isExecutable(Path.of(assets, "krypton-helm"))) {
        return Path.of(assets, "krypton-helm");
      }
      try {
        var process =
            new ProcessBuilder("bash", "../tools/provide", "--path", "krypton-helm")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Path.of(process.waitFor() == 0 ? told.strip() : "krypton-helm");
      } catch (IOException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Path.of("krypton-helm");
      }
    }
  }

  public static HelmSettings settings(Path directory, Engine which) {
    return settings(directory, which, Map.of());
  }

  public static HelmSettings settings(
      Path directory, Engine which, Map<String, String> environment) {
    return new HelmSettings(
        new Programs(which.choice(), program().toString(), worker().toString()),
        directory.resolve("data"),
        new Limits(new ConcurrencyLimits(8, 8), 128),
        new Limits(new ConcurrencyLimits(8, 8), 256),
        5,
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        environment);
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

  /** What such a Secret holds. */
  public static StoredRelease stored(JsonNode secret) {
    var payload = secret.path("data").path(ReleaseSecret.PAYLOAD_KEY).asText();
    return ((StoredRelease.Decoded.Intact) StoredRelease.decode(payload)).release();
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
    client.close();
  }
}
