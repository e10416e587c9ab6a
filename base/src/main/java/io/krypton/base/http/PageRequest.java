// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What a page may know of a request. Its text form leaves out query and headers, which may hold
 * credentials.
 *
 * @param path as sent, not decoded
 * @param query as sent, without the question mark; empty if there is none
 * @param headers by lower-case name
 */
public record PageRequest(
    String method, String path, String query, Map<String, List<String>> headers, InetAddress peer) {

  public PageRequest {
    headers = Map.copyOf(headers);
  }

  static PageRequest of(HttpExchange exchange) {
    var headers = new LinkedHashMap<String, List<String>>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) -> headers.put(lower(name), List.copyOf(values)));
    var uri = exchange.getRequestURI();
    return new PageRequest(
        exchange.getRequestMethod(),
        Objects.requireNonNullElse(uri.getRawPath(), ""),
        Objects.requireNonNullElse(uri.getRawQuery(), ""),
        headers,
        exchange.getRemoteAddress().getAddress());
  }

  /** All values of a header, whatever the case of its name. */
  public List<String> header(String name) {
    return headers.getOrDefault(lower(name), List.of());
  }

  public boolean isFromLoopback() {
    return peer.isLoopbackAddress();
  }

  /** The pairs of the query, read as Go does: what is malformed is dropped. */
  public Map<String, List<String>> parameters() {
    var parameters = new LinkedHashMap<String, List<String>>();
    for (var pair : query.split("&", -1)) {
      if (pair.isEmpty() || pair.indexOf(';') >= 0) {
        continue;
      }
      int equals = pair.indexOf('=');
      try {
        var name = URLDecoder.decode(equals < 0 ? pair : pair.substring(0, equals), UTF_8);
        var value = equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), UTF_8);
        parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      } catch (IllegalArgumentException malformed) {
        // Dropped, as Go does it.
      }
    }
    return parameters;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  @Override
  public String toString() {
    return method + " " + path;
  }
}
