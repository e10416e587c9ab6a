package io.krypton.operator.tls.profile;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a server may negotiate, in the words of its author: names and order are kept, also those
 * that no JVM knows, because a profile states intent.
 *
 * @param groups empty = no opinion
 */
public record TlsProfile(List<String> ciphers, TlsVersion minimum, List<String> groups) {
  /** Names of this form never need escaping, wherever they are written. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  public TlsProfile {
    ciphers = ciphers.stream().distinct().toList();
    groups = groups.stream().distinct().toList();
    if (!ciphers.stream().allMatch(TlsProfile::isName)
        || !groups.stream().allMatch(TlsProfile::isName)) {
      throw new IllegalArgumentException("a profile holds well-formed names only");
    }
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Members in fixed order, no white space: two equal profiles have equal bytes. */
  public String canonicalJson() {
    var json =
        "{\"ciphers\":%s,\"minTLSVersion\":\"%s\"".formatted(array(ciphers), minimum.profileName());
    return json + (groups.isEmpty() ? "" : ",\"groups\":" + array(groups)) + "}";
  }

  /** SHA-256 of exactly the canonical bytes, in lower-case hex. */
  public String hash() {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of()
          .formatHex(digest.digest(canonicalJson().getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static String array(List<String> names) {
    return names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",", "[", "]"));
  }
}
