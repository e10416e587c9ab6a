package io.krypton.kms.encryption;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.protocol.Endpoint;
import java.util.ArrayList;
import java.util.List;

/** Endpoints that the API server accepts although they do not mean what they seem to. */
final class AddressWarnings {
  private AddressWarnings() {}

  static List<String> of(Endpoint endpoint) {
    var warnings = new ArrayList<String>();
    var address = endpoint.address();
    if (address.isEmpty()) {
      warnings.add("the endpoint names no socket: write unix:///path/to/socket");
    }
    if (!endpoint.droppedHost().isEmpty()) {
      warnings.add(
          "\"%s\" is read as a host and dropped, the address in use is \"%s\": write unix:///%s"
              .formatted(
                  endpoint.droppedHost(),
                  address,
                  endpoint.droppedHost() + (endpoint.isAbstract() ? "/" : "") + address));
    }
    var name = address.startsWith("@") ? address.substring(1) : address;
    int bytes = name.getBytes(UTF_8).length;
    if (bytes > Endpoint.MAX_BYTES) {
      warnings.add(
          "the address has %d bytes, a unix socket can have %d"
              .formatted(bytes, Endpoint.MAX_BYTES));
    }
    return warnings;
  }
}
