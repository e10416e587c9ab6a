// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/**
 * The socket of a plugin.
 *
 * @param text as it was written
 * @param address an absolute path, or {@code @} and an abstract name; empty when the text names
 *     none
 * @param droppedHost what stood where a URL has its host, and is therefore no part of the address
 */
public record Endpoint(String text, String address, String droppedHost) {
  /** What fits into the address of a unix socket beside its final, or leading, NUL. */
  public static final int MAX_BYTES = 107;

  private static final String SCHEME = "unix";
  private static final String USE_THREE_SLASHES = "write unix:///<absolute path>";

  /** Reads a text as kube-apiserver does, which accepts much that cannot work. */
  public static ParsedEndpoint parse(String text) {
    GoUrl url;
    try {
      url = GoUrl.parse(text);
    } catch (GoUrl.MalformedException e) {
      return e.result();
    }
    if (!url.scheme().equals(SCHEME)) {
      return new ParsedEndpoint.UnsupportedScheme(url.scheme());
    }
    var address = url.path().startsWith("/@") ? url.path().substring(1) : url.path();
    return new ParsedEndpoint.Accepted(new Endpoint(text, address, url.host()));
  }

  /** The endpoint of a path or of {@code @name}, for callers who have no URL. */
  public static Endpoint ofAddress(String address) {
    return new Endpoint(address, address, "");
  }

  /** Why a text is not to be given to a reporter, although kube-apiserver might take it. */
  public static Optional<String> rejectionReason(String text) {
    return switch (parse(text)) {
      case ParsedEndpoint.Malformed malformed -> Optional.of(malformed.message());
      case ParsedEndpoint.UnsupportedScheme unsupported ->
          Optional.of(
              unsupported.scheme().isEmpty()
                  ? "no scheme, " + USE_THREE_SLASHES
                  : "unsupported scheme \"%s\", only unix is supported"
                      .formatted(unsupported.scheme()));
      case ParsedEndpoint.Accepted accepted -> accepted.endpoint().rejectionReason();
    };
  }

  private Optional<String> rejectionReason() {
    if (!droppedHost.isEmpty()) {
      return Optional.of(
          "\"%s\" is read as a host and dropped, %s".formatted(droppedHost, USE_THREE_SLASHES));
    }
    if (address.isEmpty()) {
      var rest = text.substring(text.indexOf(':') + 1);
      return Optional.of(
          rest.isEmpty() || rest.startsWith("/") || rest.startsWith("?") || rest.startsWith("#")
              ? "the address is empty, " + USE_THREE_SLASHES
              : "the path is relative, " + USE_THREE_SLASHES);
    }
    return unusableReason();
  }

  /** Why no socket can ever be at this address; empty if one can. */
  public Optional<String> unusableReason() {
    if (address.isEmpty()) {
      return Optional.of("the address is empty");
    }
    if (address.indexOf('\0') >= 0) {
      return Optional.of("the address contains a NUL byte");
    }
    var size = (isAbstract() ? abstractName() : address).getBytes(UTF_8).length;
    if (size > MAX_BYTES) {
      return Optional.of(
          "the %s is %d bytes long, a socket address holds %d"
              .formatted(isAbstract() ? "abstract name" : "path", size, MAX_BYTES));
    }
    return Optional.empty();
  }

  public boolean isAbstract() {
    return address.startsWith("@");
  }

  String abstractName() {
    return address.substring(1);
  }

  /** What kube-apiserver makes of an endpoint text. */
  public sealed interface ParsedEndpoint {

    record Accepted(Endpoint endpoint) implements ParsedEndpoint {}

    /** Not a URL: the part of the text that was parsed, and what is wrong with it. */
    record Malformed(String url, String reason) implements ParsedEndpoint {
      /** Reads as kube-apiserver's message does: {@code parse "E": reason}. */
      public String message() {
        return "parse " + GoQuote.quote(url.getBytes(UTF_8)) + ": " + reason;
      }
    }

    /** The scheme in lower case; empty when there is none. */
    record UnsupportedScheme(String scheme) implements ParsedEndpoint {}
  }
}
