package io.krypton.operator.tls.profile;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

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
