// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** An API server that waits for its KMS plugin, and what it then stores. */
final class EncryptionDemo {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int SHOWN_BYTES = 48;

  private final DemoEnvironment environment;
  private final KmsPluginFiles kms;

  EncryptionDemo(DemoEnvironment demoEnvironment, KmsPluginFiles kms) {
    this.environment = demoEnvironment;
    this.kms = kms;
  }

  /** Holds until the plugin works; gives back the plugin. */
  KryptonProcess waitForPlugin() throws Exception {
    environment.progress.step("Hold the API server back until its KMS plugin works");
    environment.write("encryption.yaml", kms.encryptionConfiguration());
    var gate =
        environment.krypton("gate", "gate", "wait", "--encryption-provider-config=encryption.yaml");
    environment.progress.line(
        gate.awaitLine(line -> line.contains(KmsPluginFiles.PROVIDER), TIMEOUT));
    var plugin = startPlugin();
    environment.progress.waitFor("the gate opens", () -> gate.awaitSuccess(TIMEOUT));
    return plugin;
  }

  KryptonProcess startPlugin() throws Exception {
    return environment.krypton(
        "plugin", "plugin", "serve", "--socket=unix://" + kms.socket(), "--key-file=keys.json");
  }

  void startControlPlanes() throws Exception {
    environment.progress.step("Start two control planes; home encrypts Secrets by that plugin");
    var planes =
        environment.progress.waitFor(
            "etcd, kube-apiserver and kube-controller-manager, twice",
            () ->
                ControlPlane.startAll(
                    ControlPlane.builder("home").withEncryption(kms.encryptionConfiguration()),
                    ControlPlane.builder("edge")));
    for (var plane : planes) {
      environment.adopt(plane);
      environment.progress.line("%s  %s".formatted(plane.name(), plane.url()));
    }
    environment.kubectl(
        "home", "create", "secret", "generic", "demo", "--from-literal=password=s3cret");
    var stored = planes.getFirst().stored("/registry/secrets/default/demo").orElseThrow();
    environment.progress.line(
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
