// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Which proxy the variables of the environment ask for, by the rules of Go programs, so that an
 * index repository is reached in the way in which Helm reaches a registry: {@code HTTPS_PROXY},
 * {@code HTTP_PROXY} and {@code NO_PROXY}, upper case first; loopback never by a proxy.
 */
final class ProxyEnvironment {
  private final Map<String, String> environment;
  private final List<Predicate<Target>> direct = new ArrayList<>();

  /** Where a request goes: {@code address} is empty for names. */
  private record Target(String host, Optional<InetAddress> address, int port) {}

  ProxyEnvironment(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
    for (var entry : variable("NO_PROXY").split(",")) {
      var text = entry.strip().toLowerCase(Locale.ROOT);
      if (!text.isEmpty()) {
        exception(text).ifPresent(direct::add);
      }
    }
  }

  /**
   * The proxy for a request, if it is to take one.
   *
   * @throws IllegalArgumentException that names the variable if its value is of no use
   */
  Optional<URI> proxyFor(URI uri) {
    var secure = "https".equals(uri.getScheme());
    var name = secure ? "HTTPS_PROXY" : "HTTP_PROXY";
    var value = variable(name).strip();
    if (value.isEmpty() || isDirect(target(uri, secure ? 443 : 80))) {
      return Optional.empty();
    }
    var proxy =
        url(value.contains("://") ? value : "http://" + value)
            .filter(it -> "http".equals(it.getScheme()) && it.getHost() != null);
    if (proxy.isEmpty()) {
      // Without its value, which may hold a password.
      throw new IllegalArgumentException(
          "%s: only proxies of the form http://host:port work for index repositories"
              .formatted(name));
    }
    return proxy;
  }

  private static Optional<URI> url(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException bad) {
      return Optional.empty();
    }
  }

  private String variable(String name) {
    var upper = environment.getOrDefault(name, "");
    return upper.isEmpty() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : upper;
  }

  private boolean isDirect(Target target) {
    return target.host().equals("localhost")
        || target.address().filter(InetAddress::isLoopbackAddress).isPresent()
        || direct.stream().anyMatch(rule -> rule.test(target));
  }

  private static Target target(URI uri, int otherwise) {
    var host = bare(uri.getHost().toLowerCase(Locale.ROOT));
    return new Target(host, literal(host), uri.getPort() < 0 ? otherwise : uri.getPort());
  }

  /** One entry of {@code NO_PROXY}: a star, an address, a range, a domain; the last with a port. */
  private static Optional<Predicate<Target>> exception(String text) {
    if (text.equals("*")) {
      return Optional.of(target -> true);
    }
    var slash = text.indexOf('/');
    if (slash > 0) {
      return range(text.substring(0, slash), text.substring(slash + 1));
    }
    var colon = text.lastIndexOf(':');
    var hasPort = colon >= 0 && literal(bare(text)).isEmpty();
    var host = bare(hasPort ? text.substring(0, colon) : text);
    var port = hasPort ? text.substring(colon + 1) : "";
    if (host.isEmpty()) {
      return Optional.empty();
    }
    Predicate<Target> onPort =
        target -> port.isEmpty() || port.equals(String.valueOf(target.port()));
    var address = literal(host);
    if (address.isPresent()) {
      return Optional.of(onPort.and(target -> target.address().equals(address)));
    }
    var suffix = host.startsWith("*.") ? host.substring(1) : host;
    var itself = !suffix.startsWith(".");
    var below = itself ? "." + suffix : suffix;
    return Optional.of(
        onPort.and(
            target -> target.host().endsWith(below) || (itself && target.host().equals(suffix))));
  }

  private static Optional<Predicate<Target>> range(String address, String length) {
    var network = literal(address);
    if (network.isEmpty() || !length.matches("\\d{1,3}")) {
      return Optional.empty();
    }
    var bits = Integer.parseInt(length);
    return Optional.of(
        target ->
            target
                .address()
                .filter(it -> share(it.getAddress(), network.get().getAddress(), bits))
                .isPresent());
  }

  private static boolean share(byte[] one, byte[] other, int bits) {
    if (one.length != other.length) {
      return false;
    }
    for (int bit = 0; bit < Math.min(bits, one.length * 8); bit++) {
      var mask = 0x80 >> (bit % 8);
      if ((one[bit / 8] & mask) != (other[bit / 8] & mask)) {
        return false;
      }
    }
    return true;
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }

  private static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException name) {
      return Optional.empty();
    }
  }
}
