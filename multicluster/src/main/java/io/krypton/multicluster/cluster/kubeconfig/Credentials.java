package io.krypton.multicluster.cluster.kubeconfig;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who we are to an API server. Its text form never shows any of it. */
public record Credentials(
    @Nullable ClientIdentity identity,
    @Nullable String token,
    @Nullable String impersonate,
    List<String> impersonateGroups) {

  public Credentials {
    impersonateGroups = List.copyOf(impersonateGroups);
  }

  public static Credentials ofToken(String token) {
    return new Credentials(null, token, null, List.of());
  }

  Credentials withToken(String other) {
    return new Credentials(identity, other, impersonate, impersonateGroups);
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
    return "Credentials[redacted]";
  }
}
