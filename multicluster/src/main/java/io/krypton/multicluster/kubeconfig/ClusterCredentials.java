// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Who we are to an API server. Its text form never shows any of it. */
public record ClusterCredentials(
    @Nullable ClientIdentity identity,
    @Nullable String token,
    @Nullable String impersonate,
    List<String> impersonateGroups) {

  public ClusterCredentials {
    impersonateGroups = List.copyOf(impersonateGroups);
  }

  public static ClusterCredentials ofToken(String token) {
    return new ClusterCredentials(null, token, null, List.of());
  }

  ClusterCredentials withToken(String other) {
    return new ClusterCredentials(identity, other, impersonate, impersonateGroups);
  }

  /** The request headers that carry impersonation; the token is not among them. */
  public Map<String, List<String>> impersonationHeaders() {
    var headers = new LinkedHashMap<String, List<String>>();
    if (impersonate != null) {
      headers.put("Impersonate-User", List.of(impersonate));
      if (!impersonateGroups.isEmpty()) {
        headers.put("Impersonate-Group", impersonateGroups);
      }
    }
    return headers;
  }

  @Override
  public String toString() {
    return "ClusterCredentials[redacted]";
  }

  /** A client certificate, its chain and the key that belongs to it. */
  public record ClientIdentity(List<X509Certificate> chain, PrivateKey key) {

    public ClientIdentity {
      chain = List.copyOf(chain);
      if (chain.isEmpty()) {
        throw new IllegalArgumentException("a client identity needs a certificate");
      }
    }

    public X509Certificate certificate() {
      return chain.getFirst();
    }

    @Override
    public String toString() {
      return "ClientIdentity[redacted]";
    }
  }

  /** When credentials expire: X.509 notAfter and the JWT claim exp. */
  static final class CredentialExpiry {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_CLAIMS = 64 * 1024;

    private CredentialExpiry() {}

    static Optional<Instant> of(ClusterCredentials clusterCredentials) {
      var identity = clusterCredentials.identity();
      var certificate =
          identity == null
              ? Optional.<Instant>empty()
              : Optional.of(identity.certificate().getNotAfter().toInstant());
      return Stream.of(certificate, ofToken(clusterCredentials.token()))
          .flatMap(Optional::stream)
          .min(Instant::compareTo);
    }

    /** Empty for a token that is no JWT. Its signature is not verified. */
    static Optional<Instant> ofToken(@Nullable String token) {
      var parts = token == null ? new String[0] : token.split("\\.", -1);
      if (parts.length != 3 || parts[1].length() > MAX_CLAIMS) {
        return Optional.empty();
      }
      try {
        JsonNode exp = JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
        return exp.canConvertToLong()
            ? Optional.of(Instant.ofEpochSecond(exp.asLong()))
            : Optional.empty();
      } catch (IOException | RuntimeException e) {
        return Optional.empty();
      }
    }
  }
}
