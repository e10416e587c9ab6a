package io.krypton.operator.tls.profile;

import java.util.List;
import java.util.stream.Stream;

/** What became of an attempt to read a profile. */
public sealed interface ProfileReading {
  /**
   * A profile.
   *
   * @param malformed names that were left out, because they cannot be names
   */
  record Read(TlsProfile profile, List<String> malformed) implements ProfileReading {
    public Read {
      malformed = List.copyOf(malformed);
    }
  }

  /** No profile; the reason is for people. */
  record Unreadable(String reason) implements ProfileReading {}

  /** A profile from its parts; an empty minimum means TLS 1.2. */
  static ProfileReading of(List<String> ciphers, String minimum, List<String> groups) {
    var version = minimum.isEmpty() ? "VersionTLS12" : minimum;
    return TlsVersion.named(version)
        .<ProfileReading>map(
            known ->
                new Read(
                    new TlsProfile(wellFormed(ciphers), known, wellFormed(groups)),
                    Stream.concat(ciphers.stream(), groups.stream())
                        .filter(name -> !TlsProfile.isName(name))
                        .distinct()
                        .toList()))
        .orElseGet(
            () ->
                new Unreadable(
                    "minTLSVersion %s is unknown, use VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13"
                        .formatted(Shown.shortly(version))));
  }

  private static List<String> wellFormed(List<String> names) {
    return names.stream().filter(TlsProfile::isName).toList();
  }
}
