package io.krypton.cli.sandbox.demo;

import io.krypton.cli.sandbox.stage.KmsFiles;
import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An API server that waits for its KMS plugin, and what it then stores. */
final class EncryptionChapter {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SHOWN_BYTES = 48;

  private final Stage stage;
  private final KmsFiles kms;

  EncryptionChapter(Stage stage, KmsFiles kms) {
    this.stage = stage;
    this.kms = kms;
  }

  /** Holds until the plugin works; gives back the plugin. */
  Child holdUntilThePluginWorks() throws Exception {
    stage.narrator.step("Hold the API server back until its KMS plugin works");
    stage.write("encryption.yaml", kms.encryptionConfiguration());
    var gate =
        stage.krypton("gate", "gate", "wait", "--encryption-provider-config=encryption.yaml");
    stage.narrator.line(gate.awaitLine(line -> line.contains(KmsFiles.PROVIDER), PATIENCE));
    var plugin = startPlugin();
    stage.narrator.waitFor("the gate opens", () -> gate.awaitSuccess(PATIENCE));
    return plugin;
  }

  Child startPlugin() throws Exception {
    return stage.krypton(
        "plugin", "plugin", "serve", "--socket=unix://" + kms.socket(), "--key-file=keys.json");
  }

  void startControlPlanes() throws Exception {
    stage.narrator.step("Start two control planes; home encrypts Secrets by that plugin");
    var planes =
        stage.narrator.waitFor(
            "etcd, kube-apiserver and kube-controller-manager, twice",
            () ->
                ControlPlane.startAll(
                    ControlPlane.builder("home").withEncryption(kms.encryptionConfiguration()),
                    ControlPlane.builder("edge")));
    for (var plane : planes) {
      stage.owns(plane);
      stage.narrator.line("%s  %s".formatted(plane.name(), plane.url()));
    }
    stage.kubectl("home", "create", "secret", "generic", "demo", "--from-literal=password=s3cret");
    var stored = planes.getFirst().stored("/registry/secrets/default/demo").orElseThrow();
    stage.narrator.line(
        "etcd holds: " + printable(stored) + "… (" + stored.length + " bytes, no plain text)");
    if (new String(stored, StandardCharsets.ISO_8859_1).contains("s3cret")) {
      throw new IllegalStateException("the Secret lies in etcd in plain text");
    }
  }

  private static String printable(byte[] bytes) {
    return new String(bytes, 0, Math.min(SHOWN_BYTES, bytes.length), StandardCharsets.ISO_8859_1)
        .replaceAll("[^ -~]", ".");
  }
}
