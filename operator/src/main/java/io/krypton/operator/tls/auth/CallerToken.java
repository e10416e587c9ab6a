// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A bearer token. Only reviews may see the value; it has no text form. */
public final class CallerToken {
  private static final Pattern HEADER =
      Pattern.compile("[Bb][Ee][Aa][Rr][Ee][Rr] +([A-Za-z0-9._~+/-]+=*) *");
  private static final int LONGEST = 16 * 1024;
  private static final JsonMapper JSON = new JsonMapper();

  private final String value;

  private CallerToken(String value) {
    this.value = value;
  }

  /** Empty unless there is exactly one header of the right form. */
  static Optional<CallerToken> in(List<String> headers) {
    if (headers.size() != 1 || headers.getFirst().length() > LONGEST) {
      return Optional.empty();
    }
    var form = HEADER.matcher(headers.getFirst());
    return form.matches() ? Optional.of(new CallerToken(form.group(1))) : Optional.empty();
  }

  String value() {
    return value;
  }

  /** When it ends by its own words, if it is a JWT. Nothing is verified here. */
  Optional<Instant> expiry() {
    var parts = value.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      var expiry = JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
      return expiry.isNumber()
          ? Optional.of(Instant.ofEpochSecond(expiry.longValue()))
          : Optional.empty();
    } catch (IllegalArgumentException | JsonProcessingException notAJwt) {
      return Optional.empty();
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory cannot be read", impossible);
    }
  }

  @Override
  public String toString() {
    return "BearerToken";
  }

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
}
