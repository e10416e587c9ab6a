// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Leaves on a cluster what Helm leaves there, without charts and processes: one ConfigMap, and the
 * release Secret that tells of it.
 */
public final class StoringHelm implements HelmClient {
  /** Helm applies by this name. */
  public static final String MANAGER = "helm";

  private final KubernetesClient client;
  private final AtomicInteger operations = new AtomicInteger();

  /** What comes of an operation without its being tried; null for nothing. */
  private volatile Function<HelmOperation, @Nullable HelmResult> before = operation -> null;

  private volatile boolean isTelling;
  private volatile boolean isRefusing;

  public StoringHelm(KubernetesClient client) {
    this.client = client;
  }

  /** How many it was asked for. */
  public int operations() {
    return operations.get();
  }

  /** From now on it tells what it has stored. */
  public void tell() {
    isTelling = true;
  }

  /** Whether there is no free slot from now on. */
  public void refuseTurns(boolean refuse) {
    isRefusing = refuse;
  }

  /** Does this before each operation from now on; with a result the operation is not tried. */
  public void before(Function<HelmOperation, @Nullable HelmResult> action) {
    before = action;
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    operations.incrementAndGet();
    var instead = before.apply(operation);
    if (instead != null) {
      return instead;
    }
    return switch (operation) {
      case HelmOperation.Install install -> store(install.target(), install.spec());
      case HelmOperation.Upgrade upgrade -> store(upgrade.target(), upgrade.spec());
      default -> new HelmResult.Failed("only installs and upgrades are expected here");
    };
  }

  /** The revision whose number the labels say. */
  private HelmResult store(HelmOperation.Target target, ReleaseSpec releaseSpec) {
    var release = target.release();
    var revision = releaseSpec.labels().revision();
    var secrets = client.secrets().inNamespace(release.namespace());
    if (revision > 1) {
      secrets
          .withName(ReleaseSecret.name(release.name(), revision - 1))
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\":{\"labels\":{\"status\":\"superseded\"}}}");
    }
    var labels = new HashMap<>(releaseSpec.labels().asMap());
    labels.putAll(
        Map.of(
            "owner",
            "helm",
            "name",
            release.name().value(),
            "status",
            "deployed",
            "version",
            Integer.toString(revision)));
    client
        .resource(configMap(release.namespace(), release.name().value()))
        .fieldManager(MANAGER)
        .serverSideApply();
    client
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(release.namespace())
                .withName(ReleaseSecret.name(release.name(), revision))
                .withLabels(labels)
                .endMetadata()
                .withType(ReleaseSecret.TYPE)
                .addToData(ReleaseSecret.PAYLOAD_KEY, payload(revision))
                .build())
        .create();
    return isTelling
        ? new HelmResult.Done(new AppliedRelease(revision, CONFIG_MAP.formatted("")))
        : new HelmResult.Done();
  }

  /** The ConfigMap; %s is what tells whose it is, which Helm adds to its template. */
  private static final String CONFIG_MAP =
      """
      apiVersion: v1
      kind: ConfigMap
      metadata:
        name: web
        labels: {app.kubernetes.io/managed-by: Helm}%s
      data:
        mode: test
      """;

  private static String configMap(String namespace, String release) {
    var owner =
        "\n  namespace: %s\n  annotations: {meta.helm.sh/release-name: %s, meta.helm.sh/release-namespace: %s}"
            .formatted(namespace, release, namespace);
    return CONFIG_MAP.formatted(owner);
  }

  /** The same for all: objects without a namespace go to that of the release. */
  private static String payload(int revision) {
    var json =
        """
        {"version": %d, "manifest": "%s", "chart": {"metadata": {"name": "web", "version": "1.2.3"}}}
        """
            .formatted(revision, CONFIG_MAP.formatted("").replace("\n", "\\n"));
    var compressed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(compressed)) {
      gzip.write(json.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var base64 = Base64.getEncoder();
    return base64.encodeToString(base64.encode(compressed.toByteArray()));
  }

  @Override
  public boolean isRunning(ReleaseKey release) {
    return false;
  }

  @Override
  public boolean hasEnded(String instance) {
    return false;
  }

  @Override
  public boolean reserve(ReleaseKey release, Runnable call) {
    return !isRefusing;
  }

  @Override
  public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
    return true;
  }

  @Override
  public void releaseReservation(ReleaseKey release) {}

  @Override
  public void stop(String cluster) {}

  @Override
  public void close() {}
}
