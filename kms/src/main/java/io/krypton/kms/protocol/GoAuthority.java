package io.krypton.kms.protocol;

import java.net.InetAddress;

/**
 * Go's rules for the part between {@code //} and the next slash, on bytes held as one char each.
 */
final class GoAuthority {
  private static final String HOST_PUNCTUATION = "-_.~!$&'()*+,;=:[]<>\"";
  private static final String USER_PUNCTUATION = "-._:~!$&'()*+,;=%@";

  private GoAuthority() {}

  static String hostOf(String authority) throws GoUrl.Complaint {
    var at = authority.lastIndexOf('@');
    var host = parseHost(authority.substring(at + 1));
    if (at >= 0) {
      var user = authority.substring(0, at);
      if (!user.chars().allMatch(c -> isAlphanumeric(c) || USER_PUNCTUATION.indexOf(c) >= 0)) {
        throw new GoUrl.Complaint("net/url: invalid userinfo");
      }
      PercentEncoding.decode(user);
    }
    return host;
  }

  private static String parseHost(String host) throws GoUrl.Complaint {
    var bracket = host.lastIndexOf('[');
    if (bracket > 0) {
      throw new GoUrl.Complaint("invalid IP-literal");
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

  private static String parseLiteral(String host) throws GoUrl.Complaint {
    var end = host.lastIndexOf(']');
    if (end < 0) {
      throw new GoUrl.Complaint("missing ']' in host");
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

  private static void checkIpv6(String literal) throws GoUrl.Complaint {
    var zone = literal.indexOf('%');
    var address = zone < 0 ? literal : literal.substring(0, zone);
    if (address.contains(":") && zone != literal.length() - 1 && isAddress(address)) {
      return;
    }
    throw new GoUrl.Complaint(
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

  private static void checkPort(String port) throws GoUrl.Complaint {
    var valid =
        port.isEmpty()
            || (port.charAt(0) == ':' && port.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    if (!valid) {
      throw new GoUrl.Complaint("invalid port " + GoQuote.quote(port) + " after host");
    }
  }

  /** In a host only bytes outside ASCII and the percent sign may be escaped. */
  private static String decodeHost(String host) throws GoUrl.Complaint {
    for (int i = 0; i < host.length(); i++) {
      var c = host.charAt(i);
      if (c == '%') {
        var escaped = PercentEncoding.escapedByte(host, i);
        if (escaped < 0x80 && escaped != '%') {
          throw PercentEncoding.refused(host, i);
        }
        i += 2;
      } else if (!isHostByte(c)) {
        throw new GoUrl.Complaint(
            "invalid character " + GoQuote.quote(host.substring(i, i + 1)) + " in host name");
      }
    }
    return PercentEncoding.decode(host);
  }

  /** In a zone a byte may be escaped if it could also stand there as it is, or is a space. */
  private static String decodeZone(String zone) throws GoUrl.Complaint {
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
        throw new GoUrl.Complaint(
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
