// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.plugin;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.grpc.ServerInterceptors;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnectionPool;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real API server that encrypts with the plugin. */
class EncryptionAtRestIT {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final String TIMEOUT = "[1-9][0-9]{0,7}[numS]";
  private static final String KMS_PREFIX = "k8s:enc:kms:v2:dev:";

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final WireRecord wire = new WireRecord();
  private Endpoint recorded;
  private PluginSocketListener recorder;
  private KeyFile keyFile;
  private PluginServer plugin;
  private ControlPlane plane;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    keyFile = new KeyFile(directory.resolve("keys.json"));
    var endpoint = Endpoint.ofAddress(directory.resolve("kms-1.sock").toString());
    plugin = PluginServer.start(PluginServer.Settings.of(endpoint, keyFile));
    recorded = Endpoint.ofAddress(directory.resolve("kms-2.sock").toString());
    recorder = record(recorded, new KeyFile(directory.resolve("recorded.json")));
    plane =
        ControlPlane.builder("encrypted")
            .withoutControllerManager()
            .withEncryption(
                """
                apiVersion: apiserver.config.k8s.io/v1
                kind: EncryptionConfiguration
                resources:
                - resources: [secrets]
                  providers:
                  - kms:
                      apiVersion: v2
                      name: dev
                      endpoint: unix://%s
                  - identity: {}
                - resources: [configmaps]
                  providers:
                  - kms:
                      apiVersion: v2
                      name: recorded
                      endpoint: unix://%s
                  - identity: {}
                """
                    .formatted(endpoint.address(), recorded.address()))
            .start();
  }

  private PluginSocketListener record(Endpoint endpoint, KeyFile keys) throws IOException {
    keys.createIfMissing();
    var service = new PluginService("v2", keys.read());
    return PluginSocketListener.open(
        endpoint,
        () -> ServerInterceptors.intercept(service, wire),
        PosixFilePermissions.fromString("rw-------"));
  }

  @AfterEach
  void stop() throws IOException {
    plane.close();
    recorder.close(false);
    plugin.close();
  }

  @Test
  void secrets_of_before_and_after_a_rotation_are_readable_after_a_restart() throws Exception {
    var firstKey = keyFile.currentId();
    create("before", "c2VjcmV0LW9mLWJlZm9yZQ==");
    assertThat(stored("before")).startsWith(KMS_PREFIX).contains(firstKey);
    assertThat(stored("before")).doesNotContain("secret-of-before");
    assertThat(plane.admin().get("/readyz/kms-providers").ok()).isTrue();

    // At its start an API server asks for the key at once; later it does so once a minute.
    var secondKey = keyFile.rotate();
    restart();
    create("after", "c2VjcmV0LW9mLWFmdGVy");
    assertThat(stored("after")).startsWith(KMS_PREFIX).contains(secondKey);
    assertThat(stored("before")).contains(firstKey);

    restart();
    assertThat(read("before")).isEqualTo("c2VjcmV0LW9mLWJlZm9yZQ==");
    assertThat(read("after")).isEqualTo("c2VjcmV0LW9mLWFmdGVy");

    // The same servers have been talking to the recorded plugin all the while.
    callTheRecordedPluginOurselves();
    for (var method : List.of("Status", "Encrypt", "Decrypt")) {
      ourCallsLookLikeThoseOfTheApiServer(method);
    }
  }

  private void callTheRecordedPluginOurselves() throws InterruptedException {
    try (var connections = new PluginConnectionPool();
        var connection = connections.open(recorded, () -> {})) {
      var client = connection.client(KmsApiVersion.V2);
      assertThat(client.status(DEADLINE)).isInstanceOf(RpcResult.Success.class);
      if (client.encrypt(new byte[32], DEADLINE)
          instanceof RpcResult.Success<EncryptedSample>(var it)) {
        assertThat(client.decrypt(it, DEADLINE)).isInstanceOf(RpcResult.Success.class);
      }
    }
  }

  private void ourCallsLookLikeThoseOfTheApiServer(String method) {
    var theirs = wire.of(method, "grpc-go/");
    var ours = wire.of(method, "grpc-java-netty/");
    assertThat(theirs).as("kube-apiserver calls %s", method).isNotEmpty();
    assertThat(ours).as("we call %s", method).hasSize(1);
    var mine = ours.getFirst();
    assertThat(theirs)
        .allSatisfy(
            call -> {
              assertThat(call.authority()).isEqualTo("localhost").isEqualTo(mine.authority());
              assertThat(call.contentType()).isEqualTo(mine.contentType());
              // It is etcd's, and only there because kube-apiserver calls on its request's context.
              assertThat(mine.headers()).contains(without(call.headers(), "hasleader"));
              assertThat(call.timeout()).matches(TIMEOUT);
            });
    assertThat(mine.timeout()).matches(TIMEOUT);
    if (!method.equals("Status")) {
      assertThat(theirs).allSatisfy(call -> assertThat(call.uid()).matches(UUID));
      assertThat(mine.uid()).matches(UUID);
      assertThat(theirs).extracting(call -> call.uid()).doesNotHaveDuplicates();
    }
    if (method.equals("Decrypt")) {
      assertThat(theirs).allSatisfy(call -> assertThat(call.keyId()).isNotEmpty());
      assertThat(mine.keyId()).isNotEmpty();
    }
  }

  private static String[] without(Set<String> names, String left) {
    return names.stream().filter(name -> !name.equals(left)).toArray(String[]::new);
  }

  private void restart() {
    plane.apiServer().stop();
    plane.apiServer().start();
    await().atMost(60, SECONDS).until(() -> plane.admin().get("/readyz").ok());
  }

  private void create(String name, String data) {
    plane
        .admin()
        .post(
            SECRETS,
            "{\"metadata\":{\"name\":\"%s\"},\"data\":{\"value\":\"%s\"}}".formatted(name, data))
        .orThrow();
  }

  private String read(String name) {
    return plane.admin().get(SECRETS + "/" + name).orThrow().at("/data/value").asText();
  }

  private String stored(String name) {
    return new String(plane.stored("/registry/secrets/default/" + name).orElseThrow(), ISO_8859_1);
  }
}
