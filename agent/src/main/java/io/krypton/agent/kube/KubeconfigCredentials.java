// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static io.krypton.agent.kube.KubeconfigCurrentContext.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.kube.ApiClientConfig.BearerToken;
import io.krypton.agent.kube.ApiClientConfig.ClientCertificate;
import io.krypton.agent.kube.ApiClientConfig.ServerUrl;
import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Credentials from a kubeconfig file and the files it names. */
public final class KubeconfigCredentials implements CredentialSource {
  private final Path file;

  public KubeconfigCredentials(Path file) {
    this.file = file.toAbsolutePath();
  }

  @Override
  public Reading read() {
    var files = new CredentialFileReader();
    return new Reading(read(files), files.requestedFiles());
  }

  private CredentialState read(CredentialFileReader files) {
    try {
      return new CredentialState.Ready(access(files));
    } catch (UnusableCredentialsException e) {
      return new CredentialState.NotYet(e.reason());
    }
  }

  private ApiClientConfig access(CredentialFileReader files) throws UnusableCredentialsException {
    var yaml = files.read("kubeconfig", file);
    try {
      var config = KubeconfigCurrentContext.parse(yaml);
      return access(files, config.cluster(), config.user());
    } catch (UnusableCredentialsException e) {
      throw new UnusableCredentialsException("kubeconfig %s: %s".formatted(file, e.reason()));
    }
  }

  private ApiClientConfig access(CredentialFileReader files, JsonNode cluster, JsonNode user)
      throws UnusableCredentialsException {
    var server = text(cluster, "server");
    if (server == null) {
      throw new UnusableCredentialsException("the cluster has no server");
    }
    var certificates = content(files, cluster, "certificate-authority");
    var insecure = flag(cluster, "insecure-skip-tls-verify");
    if (insecure && certificates != null) {
      throw new UnusableCredentialsException(
          "insecure-skip-tls-verify contradicts certificate-authority: remove one of them");
    }
    if (certificates != null) {
      PemReader.certificates("certificate-authority", certificates);
    }
    return new ApiClientConfig(
        ServerUrl.parse("server", server),
        text(cluster, "tls-server-name"),
        insecure,
        certificates,
        token(files, user),
        clientCertificate(files, user));
  }

  private @Nullable String token(CredentialFileReader files, JsonNode user)
      throws UnusableCredentialsException {
    var tokenFile = text(user, "tokenFile");
    if (tokenFile != null) {
      return BearerToken.of("tokenFile", files.read("tokenFile", resolve("tokenFile", tokenFile)));
    }
    var token = text(user, "token");
    return token == null ? null : BearerToken.of("token", token);
  }

  private @Nullable ClientCertificate clientCertificate(CredentialFileReader files, JsonNode user)
      throws UnusableCredentialsException {
    var chain = content(files, user, "client-certificate");
    var key = content(files, user, "client-key");
    if (chain == null && key == null) {
      return null;
    }
    if (chain == null || key == null) {
      throw new UnusableCredentialsException(
          "client-certificate and client-key must be set together");
    }
    var leaf = PemReader.certificates("client-certificate", chain).getFirst();
    PemReader.privateKey("client-key", key, leaf.getPublicKey());
    return new ClientCertificate(chain, key);
  }

  /** The inline form wins over the file form, as it does for kubectl. */
  private @Nullable String content(CredentialFileReader files, JsonNode mapping, String key)
      throws UnusableCredentialsException {
    var inline = text(mapping, key + "-data");
    if (inline != null) {
      return decode(key + "-data", inline);
    }
    var path = text(mapping, key);
    return path == null ? null : files.read(key, resolve(key, path));
  }

  private Path resolve(String key, String path) throws UnusableCredentialsException {
    try {
      return file.resolveSibling(path);
    } catch (InvalidPathException e) {
      throw new UnusableCredentialsException(key + " is not a path");
    }
  }

  private static String decode(String key, String base64) throws UnusableCredentialsException {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new UnusableCredentialsException(key + " is not base64");
    }
  }

  private static boolean flag(JsonNode mapping, String key) throws UnusableCredentialsException {
    var value = mapping.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw new UnusableCredentialsException(key + " must be true or false");
    }
    return value.booleanValue();
  }
}
