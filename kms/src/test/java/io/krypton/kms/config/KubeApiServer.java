// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The real binary, asked for its opinion on a file. It needs no etcd: it reads the configuration
 * before its service account keys, and a key file without keys ends it right behind that point.
 */
final class KubeApiServer {
  private static final String PAST_THE_CONFIGURATION = "error reading public key file ";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path directory;
  private final String binary;
  private final int port;

  KubeApiServer(Path directory) throws IOException, InterruptedException {
    this.directory = directory;
    binary = find();
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Files.writeString(directory.resolve("signing.pem"), signingKey());
    Files.writeString(directory.resolve("none.pem"), "no key in here\n");
  }

  private static String find() throws IOException, InterruptedException {
    var provide = Path.of("../tools/provide").toAbsolutePath().normalize();
    var process =
        new ProcessBuilder(provide.toString(), "--path", "kube-apiserver")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var path = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("no kube-apiserver: run make tools");
    }
    return path;
  }

  private static String signingKey() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      var key = generator.generateKeyPair().getPrivate().getEncoded();
      var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
      return "-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The text with which it refuses the file, or nothing if it accepts it. */
  String opinionOn(Path file, ReadOptions options) {
    var log = file.resolveSibling(file.getFileName() + ".log");
    try {
      var builder = new ProcessBuilder(command(file, options));
      // Saves a third of the processor time: it ends before there is garbage to collect.
      builder.environment().put("GOGC", "off");
      builder.environment().put("GOMAXPROCS", "1");
      var process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IllegalStateException("still running: " + Files.readString(log));
      }
      var end = lastWords(log);
      return end.startsWith(PAST_THE_CONFIGURATION) ? "" : end;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private List<String> command(Path file, ReadOptions options) {
    var command =
        new ArrayList<>(
            List.of(
                binary,
                "--etcd-servers=http://127.0.0.1:1",
                "--cert-dir=" + directory.resolve("certificates"),
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--permit-port-sharing",
                "--authorization-mode=AlwaysAllow",
                "--service-account-issuer=https://issuer.example",
                "--service-account-signing-key-file=" + directory.resolve("signing.pem"),
                "--service-account-key-file=" + directory.resolve("none.pem"),
                "--logging-format=json",
                "--encryption-provider-config=" + file,
                "--encryption-provider-config-automatic-reload=" + options.automaticReload()));
    if (options.kmsV1() != KmsV1Policy.DENY) {
      command.add("--feature-gates=KMSv1=true");
    }
    return command;
  }

  private static String lastWords(Path log) throws IOException {
    for (var line : Files.readAllLines(log).reversed()) {
      if (line.contains("\"command failed\"")) {
        return JSON.readTree(line).path("err").asText();
      }
    }
    throw new IllegalStateException("it ended without a reason: " + Files.readString(log));
  }
}
