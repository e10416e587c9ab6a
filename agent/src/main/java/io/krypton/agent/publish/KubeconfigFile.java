package io.krypton.agent.publish;

import static io.krypton.agent.publish.Kubeconfig.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.publish.ApiAccess.ClientCertificate;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Credentials from a kubeconfig file and the files it names. */
public final class KubeconfigFile implements AccessSource {
  private final Path file;

  public KubeconfigFile(Path file) {
    this.file = file.toAbsolutePath();
  }

  @Override
  public Reading read() {
    var files = new CredentialFiles();
    return new Reading(read(files), files.asked());
  }

  private AccessState read(CredentialFiles files) {
    try {
      return new AccessState.Ready(access(files));
    } catch (UnusableAccess e) {
      return new AccessState.NotYet(e.reason());
    }
  }

  private ApiAccess access(CredentialFiles files) throws UnusableAccess {
    var yaml = files.read("kubeconfig", file);
    try {
      var config = Kubeconfig.parse(yaml);
      return access(files, config.cluster(), config.user());
    } catch (UnusableAccess e) {
      throw new UnusableAccess("kubeconfig %s: %s".formatted(file, e.reason()));
    }
  }

  private ApiAccess access(CredentialFiles files, JsonNode cluster, JsonNode user)
      throws UnusableAccess {
    var server = text(cluster, "server");
    if (server == null) {
      throw new UnusableAccess("the cluster has no server");
    }
    var certificates = content(files, cluster, "certificate-authority");
    var insecure = flag(cluster, "insecure-skip-tls-verify");
    if (insecure && certificates != null) {
      throw new UnusableAccess(
          "insecure-skip-tls-verify contradicts certificate-authority: remove one of them");
    }
    if (certificates != null) {
      Pem.certificates("certificate-authority", certificates);
    }
    return new ApiAccess(
        ServerUrl.parse("server", server),
        text(cluster, "tls-server-name"),
        insecure,
        certificates,
        token(files, user),
        clientCertificate(files, user));
  }

  private @Nullable String token(CredentialFiles files, JsonNode user) throws UnusableAccess {
    var tokenFile = text(user, "tokenFile");
    if (tokenFile != null) {
      return BearerToken.of("tokenFile", files.read("tokenFile", resolve("tokenFile", tokenFile)));
    }
    var token = text(user, "token");
    return token == null ? null : BearerToken.of("token", token);
  }

  private @Nullable ClientCertificate clientCertificate(CredentialFiles files, JsonNode user)
      throws UnusableAccess {
    var chain = content(files, user, "client-certificate");
    var key = content(files, user, "client-key");
    if (chain == null && key == null) {
      return null;
    }
    if (chain == null || key == null) {
      throw new UnusableAccess("client-certificate and client-key must be set together");
    }
    var leaf = Pem.certificates("client-certificate", chain).getFirst();
    Pem.privateKey("client-key", key, leaf.getPublicKey());
    return new ClientCertificate(chain, key);
  }

  /** The inline form wins over the file form, as it does for kubectl. */
  private @Nullable String content(CredentialFiles files, JsonNode mapping, String key)
      throws UnusableAccess {
    var inline = text(mapping, key + "-data");
    if (inline != null) {
      return decode(key + "-data", inline);
    }
    var path = text(mapping, key);
    return path == null ? null : files.read(key, resolve(key, path));
  }

  private Path resolve(String key, String path) throws UnusableAccess {
    try {
      return file.resolveSibling(path);
    } catch (InvalidPathException e) {
      throw new UnusableAccess(key + " is not a path");
    }
  }

  private static String decode(String key, String base64) throws UnusableAccess {
    try {
      return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new UnusableAccess(key + " is not base64");
    }
  }

  private static boolean flag(JsonNode mapping, String key) throws UnusableAccess {
    var value = mapping.path(key);
    if (value.isMissingNode() || value.isNull()) {
      return false;
    }
    if (!value.isBoolean()) {
      throw new UnusableAccess(key + " must be true or false");
    }
    return value.booleanValue();
  }
}
