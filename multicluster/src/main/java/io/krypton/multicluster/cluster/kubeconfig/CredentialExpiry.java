package io.krypton.multicluster.cluster.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When credentials end, as far as they tell themselves: X.509 notAfter and the JWT claim exp. */
final class CredentialExpiry {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_CLAIMS = 64 * 1024;

  private CredentialExpiry() {}

  static Optional<Instant> of(Credentials credentials) {
    var identity = credentials.identity();
    var certificate =
        identity == null
            ? Optional.<Instant>empty()
            : Optional.of(identity.certificate().getNotAfter().toInstant());
    return Stream.of(certificate, ofToken(credentials.token()))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  /** A token that is no JWT simply does not tell. Its signature is the API server's business. */
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
