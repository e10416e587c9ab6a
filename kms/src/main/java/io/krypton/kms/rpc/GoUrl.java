// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.base.text.Percent;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import java.net.InetAddress;
import java.util.Locale;

/**
 * A URL taken apart exactly as Go's net/url does it, because that is how kube-apiserver reads a KMS
 * endpoint; {@link java.net.URI} differs. Works on UTF-8 bytes, held as one char each.
 */
record GoUrl(String scheme, String opaque, String host, String path) {
  private static final String CONTROL = "net/url: invalid control character in URL";

  /** A text that is no URL; the message reads as Go's error does. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String url;
    private final String reason;

    MalformedException(String text, String reason) {
      super("parse " + GoQuote.quote(text) + ": " + reason);
      this.url = utf8(text);
      this.reason = reason;
    }

    ParsedEndpoint.Malformed result() {
      return new ParsedEndpoint.Malformed(url, reason);
    }
  }

  /** Like the exception, before it is known which text it speaks of. */
  static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    SyntaxException(String reason) {
      super(reason, null, false, false);
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  static GoUrl parse(String text) throws MalformedException {
    var bytes = new String(text.getBytes(UTF_8), ISO_8859_1);
    var hash = bytes.indexOf('#');
    var beforeFragment = hash < 0 ? bytes : bytes.substring(0, hash);
    GoUrl url;
    try {
      url = parseBytes(beforeFragment);
    } catch (SyntaxException syntaxException) {
      throw new MalformedException(beforeFragment, syntaxException.reason());
    }
    try {
      PercentEncoding.decode(hash < 0 ? "" : bytes.substring(hash + 1));
    } catch (SyntaxException syntaxException) {
      throw new MalformedException(bytes, syntaxException.reason());
    }
    return url;
  }

  private static GoUrl parseBytes(String text) throws SyntaxException {
    if (text.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
      throw new SyntaxException(CONTROL);
    }
    if (text.equals("*")) {
      return new GoUrl("", "", "", "*");
    }
    var schemeLength = schemeLength(text);
    var scheme = text.substring(0, schemeLength).toLowerCase(Locale.ROOT);
    var rest = scheme.isEmpty() ? text : text.substring(schemeLength + 1);
    var query = rest.indexOf('?');
    rest = query < 0 ? rest : rest.substring(0, query);

    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        return new GoUrl(scheme, utf8(rest), "", "");
      }
      if (rest.split("/", 2)[0].contains(":")) {
        throw new SyntaxException("first path segment in URL cannot contain colon");
      }
    }
    var host = "";
    if (rest.startsWith("//") && !(scheme.isEmpty() && rest.startsWith("///"))) {
      var slash = rest.indexOf('/', 2);
      var authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      host = Authority.hostOf(authority);
    }
    return new GoUrl(scheme, "", utf8(host), utf8(PercentEncoding.decode(rest)));
  }

  /** The number of characters before the colon that ends the scheme; 0 if there is none. */
  private static int schemeLength(String text) throws SyntaxException {
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == ':') {
        if (i == 0) {
          throw new SyntaxException("missing protocol scheme");
        }
        return i;
      }
      var letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      var inner = i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.');
      if (!letter && !inner) {
        return 0;
      }
    }
    return 0;
  }

  private static String utf8(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  /**
   * Go's rules for the part between {@code //} and the next slash, on bytes held as one char each.
   */
  static final class Authority {
    private static final String HOST_PUNCTUATION = "-_.~!$&'()*+,;=:[]<>\"";
    private static final String USER_PUNCTUATION = "-._:~!$&'()*+,;=%@";

    private Authority() {}

    static String hostOf(String authority) throws GoUrl.SyntaxException {
      var at = authority.lastIndexOf('@');
      var host = parseHost(authority.substring(at + 1));
      if (at >= 0) {
        var user = authority.substring(0, at);
        if (!user.chars().allMatch(c -> isAlphanumeric(c) || USER_PUNCTUATION.indexOf(c) >= 0)) {
          throw new GoUrl.SyntaxException("net/url: invalid userinfo");
        }
        PercentEncoding.decode(user);
      }
      return host;
    }

    private static String parseHost(String host) throws GoUrl.SyntaxException {
      var bracket = host.lastIndexOf('[');
      if (bracket > 0) {
        throw new GoUrl.SyntaxException("invalid IP-literal");
      }
      if (bracket == 0) {
        return parseLiteral(host);
      }
      var colon = host.lastIndexOf(':');
      if (colon >= 0) {
        checkPort(host.substring(colon));
      }
      return decodeHost(host);
    }

    private static String parseLiteral(String host) throws GoUrl.SyntaxException {
      var end = host.lastIndexOf(']');
      if (end < 0) {
        throw new GoUrl.SyntaxException("missing ']' in host");
      }
      var port = host.substring(end + 1);
      checkPort(port);
      var name = host.substring(1, end);
      var zone = name.indexOf("%25");
      var decoded =
          zone < 0
              ? decodeHost(name)
              : decodeHost(name.substring(0, zone)) + decodeZone(name.substring(zone));
      checkIpv6(decoded);
      return "[" + decoded + "]" + port;
    }

    private static void checkIpv6(String literal) throws GoUrl.SyntaxException {
      var zone = literal.indexOf('%');
      var address = zone < 0 ? literal : literal.substring(0, zone);
      if (address.contains(":") && zone != literal.length() - 1 && isAddress(address)) {
        return;
      }
      throw new GoUrl.SyntaxException(
          isAddress(literal)
              ? "invalid IP-literal"
              : "invalid host: ParseAddr(" + GoQuote.quote(literal) + "): unable to parse IP");
    }

    private static boolean isAddress(String literal) {
      try {
        var _ = InetAddress.ofLiteral(literal);
        return true;
      } catch (IllegalArgumentException notAnAddress) {
        return false;
      }
    }

    private static void checkPort(String port) throws GoUrl.SyntaxException {
      var valid =
          port.isEmpty()
              || (port.charAt(0) == ':'
                  && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
      if (!valid) {
        throw new GoUrl.SyntaxException("invalid port " + GoQuote.quote(port) + " after host");
      }
    }

    /** In a host only bytes outside ASCII and the percent sign may be escaped. */
    private static String decodeHost(String host) throws GoUrl.SyntaxException {
      for (int i = 0; i < host.length(); i++) {
        var c = host.charAt(i);
        if (c == '%') {
          var escaped = PercentEncoding.escapedByte(host, i);
          if (escaped < 0x80 && escaped != '%') {
            throw PercentEncoding.refused(host, i);
          }
          i += 2;
        } else if (!isHostByte(c)) {
          throw new GoUrl.SyntaxException(
              "invalid character " + GoQuote.quote(host.substring(i, i + 1)) + " in host name");
        }
      }
      return PercentEncoding.decode(host);
    }

    /** In a zone a byte may be escaped if it could also stand there as it is, or is a space. */
    private static String decodeZone(String zone) throws GoUrl.SyntaxException {
      for (int i = 0; i < zone.length(); i++) {
        var c = zone.charAt(i);
        if (c == '%') {
          var escaped = PercentEncoding.escapedByte(zone, i);
          var allowed = isAlphanumeric(escaped) || HOST_PUNCTUATION.indexOf(escaped) >= 0;
          if (escaped != '%' && escaped != ' ' && !allowed) {
            throw PercentEncoding.refused(zone, i);
          }
          i += 2;
        } else if (!isHostByte(c)) {
          throw new GoUrl.SyntaxException(
              "invalid character " + GoQuote.quote(zone.substring(i, i + 1)) + " in host name");
        }
      }
      return PercentEncoding.decode(zone);
    }

    private static boolean isHostByte(int c) {
      return c >= 0x80 || isAlphanumeric(c) || HOST_PUNCTUATION.indexOf(c) >= 0;
    }

    private static boolean isAlphanumeric(int c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
  }

  /** Go's rules for {@code %xx}, on bytes held as one char each. */
  static final class PercentEncoding {
    private static final String ESCAPE = "invalid URL escape ";

    private PercentEncoding() {}

    static String decode(String text) throws GoUrl.SyntaxException {
      var decoded = new StringBuilder(text.length());
      for (int i = 0; i < text.length(); i++) {
        if (text.charAt(i) == '%') {
          decoded.append(escapedByte(text, i));
          i += 2;
        } else {
          decoded.append(text.charAt(i));
        }
      }
      return decoded.toString();
    }

    /** The byte that the escape at this place stands for. */
    static char escapedByte(String text, int at) throws GoUrl.SyntaxException {
      var escaped = Percent.byteAt(text, at);
      if (escaped.isPresent()) {
        return (char) escaped.getAsInt();
      }
      throw refused(text, at);
    }

    static GoUrl.SyntaxException refused(String text, int at) {
      return new GoUrl.SyntaxException(
          ESCAPE + GoQuote.quote(text.substring(at, Math.min(at + 3, text.length()))));
    }
  }
}
