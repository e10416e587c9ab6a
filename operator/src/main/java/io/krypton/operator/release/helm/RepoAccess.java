// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What opens a chart repository or registry. Every part may be missing; none shows in a text.
 *
 * @param authority certificates (PEM) that are trusted instead of the public ones
 * @param certificate of this client (PEM), with {@code key}
 * @param registryConfig logins of registries as {@code docker login} and {@code helm registry
 *     login} store them
 */
public record RepoAccess(
    @Nullable String username,
    @Nullable String password,
    @Nullable String authority,
    @Nullable String certificate,
    @Nullable String key,
    @Nullable String registryConfig) {
  /** Nothing but what is public. */
  public static final RepoAccess NONE = new RepoAccess(null, null, null, null, null, null);

  /** The names by which Secrets hold the parts, as Flux reads them. */
  public static final Set<String> KEYS =
      Set.of("username", "password", "ca.crt", "tls.crt", "tls.key", ".dockerconfigjson");

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final Set<String> DOCKER_HUB = Set.of("docker.io", "registry-1.docker.io");

  public RepoAccess {
    if ((username == null) != (password == null)) {
      throw new IllegalArgumentException("username and password are given together or not at all");
    }
    if ((certificate == null) != (key == null)) {
      throw new IllegalArgumentException("tls.crt and tls.key are given together or not at all");
    }
  }

  /**
   * From what a Secret or a directory holds.
   *
   * @throws IllegalArgumentException with a text for users if parts do not go together
   */
  public static RepoAccess of(Map<String, String> parts) {
    return new RepoAccess(
        parts.get("username"),
        parts.get("password"),
        parts.get("ca.crt"),
        parts.get("tls.crt"),
        parts.get("tls.key"),
        parts.get(".dockerconfigjson"));
  }

  /** The value of the header {@code Authorization}. */
  public Optional<String> basicAuthorization() {
    return username == null ? Optional.empty() : Optional.of("Basic " + login());
  }

  /** As other clients of registries do: hardly anybody has a certificate for localhost. */
  public boolean isPlainHttp(String reference) {
    var requiresTls = authority != null || certificate != null;
    return !requiresTls && LOOPBACK.contains(String.valueOf(URI.create(reference).getHost()));
  }

  /** The registry that a reference {@code oci://…/name} leads to. */
  public static String registryOf(String reference) {
    return String.valueOf(URI.create(reference).getAuthority());
  }

  /** The file in which Helm looks up logins of a registry. */
  public Optional<String> registryConfigFor(String registry) {
    if (username == null) {
      return Optional.ofNullable(registryConfig);
    }
    var server = DOCKER_HUB.contains(registry) ? "https://index.docker.io/v1/" : registry;
    return Optional.of("{\"auths\":{\"%s\":{\"auth\":\"%s\"}}}".formatted(server, login()));
  }

  /** What must not be seen in anything that Helm says. */
  public List<String> secrets() {
    return Stream.of(password, username == null ? null : login(), key, registryConfig)
        .filter(Objects::nonNull)
        .toList();
  }

  private String login() {
    return Base64.getEncoder()
        .encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return Stream.of(
            username == null ? "" : "password",
            authority == null ? "" : "authority",
            certificate == null ? "" : "certificate",
            registryConfig == null ? "" : "registry logins")
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(", ", "RepoAccess[", "]"));
  }
}
