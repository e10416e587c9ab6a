package io.krypton.kms.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

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
  static final class Complaint extends Exception {
    private static final long serialVersionUID = 1L;

    Complaint(String reason) {
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
    } catch (Complaint complaint) {
      throw new MalformedException(beforeFragment, complaint.reason());
    }
    try {
      PercentEncoding.decode(hash < 0 ? "" : bytes.substring(hash + 1));
    } catch (Complaint complaint) {
      throw new MalformedException(bytes, complaint.reason());
    }
    return url;
  }

  private static GoUrl parseBytes(String text) throws Complaint {
    if (text.chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
      throw new Complaint(CONTROL);
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
        throw new Complaint("first path segment in URL cannot contain colon");
      }
    }
    var host = "";
    if (rest.startsWith("//") && !(scheme.isEmpty() && rest.startsWith("///"))) {
      var slash = rest.indexOf('/', 2);
      var authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      host = GoAuthority.hostOf(authority);
    }
    return new GoUrl(scheme, "", utf8(host), utf8(PercentEncoding.decode(rest)));
  }

  /** The number of characters before the colon that ends the scheme; 0 if there is none. */
  private static int schemeLength(String text) throws Complaint {
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c == ':') {
        if (i == 0) {
          throw new Complaint("missing protocol scheme");
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
}
