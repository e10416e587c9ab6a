// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import io.krypton.base.crypto.Sha256;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
    return Sha256.hex(canonicalJson());
  }

  private static String array(List<String> names) {
    return names.stream().map(name -> '"' + name + '"').collect(Collectors.joining(",", "[", "]"));
  }

  /** Texts of others in our messages: short and on one line. */
  public static final class DisplayText {
    private static final int LONGEST = 64;
    private static final int MOST_NAMES = 20;

    private DisplayText() {}

    public static String abbreviate(String text) {
      var line = text.replaceAll("\\p{Cntrl}", "?");
      return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    /** At most 20 names, then how many more there are. */
    public static String abbreviateNames(List<String> names) {
      var shown =
          names.stream()
              .limit(MOST_NAMES)
              .map(DisplayText::abbreviate)
              .collect(Collectors.joining(", "));
      var more = names.size() - MOST_NAMES;
      return more > 0 ? "%s and %d more".formatted(shown, more) : shown;
    }
  }

  /** Versions of TLS, oldest first, by the names of OpenShift and of the JVM. */
  public enum TlsVersion {
    TLS10("VersionTLS10", "TLSv1"),
    TLS11("VersionTLS11", "TLSv1.1"),
    TLS12("VersionTLS12", "TLSv1.2"),
    TLS13("VersionTLS13", "TLSv1.3");

    private final String profileName;
    private final String protocol;

    TlsVersion(String profileName, String protocol) {
      this.profileName = profileName;
      this.protocol = protocol;
    }

    public static Optional<TlsVersion> named(String profileName) {
      return Arrays.stream(values())
          .filter(version -> version.profileName.equals(profileName))
          .findFirst();
    }

    public String profileName() {
      return profileName;
    }

    /** As the JVM calls it. */
    public String protocol() {
      return protocol;
    }

    /** This version and all newer ones. */
    List<TlsVersion> andNewer() {
      return Arrays.stream(values()).filter(version -> version.compareTo(this) >= 0).toList();
    }
  }
}
