package io.krypton.operator.tls.auth;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Who a token belongs to, in the words of the API server. */
record Principal(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  private static final String AUTHENTICATED = "system:authenticated";

  Principal {
    groups =
        groups.contains(AUTHENTICATED)
            ? List.copyOf(groups)
            : Stream.concat(groups.stream(), Stream.of(AUTHENTICATED)).toList();
    extra = Map.copyOf(extra);
  }
}
