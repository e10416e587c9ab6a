// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import java.util.List;
import java.util.stream.Stream;

/**
 * The three profiles that OpenShift names. Without groups: the groups that the compiler starts from
 * are among those that all three allow.
 */
public final class PredefinedProfiles {
  private static final List<String> INTERMEDIATE_CIPHERS =
      joined(
          CipherTable.TLS13_SUITES,
          List.of(
              "ECDHE-ECDSA-AES128-GCM-SHA256",
              "ECDHE-RSA-AES128-GCM-SHA256",
              "ECDHE-ECDSA-AES256-GCM-SHA384",
              "ECDHE-RSA-AES256-GCM-SHA384",
              "ECDHE-ECDSA-CHACHA20-POLY1305",
              "ECDHE-RSA-CHACHA20-POLY1305"));

  private static final List<String> OLD_CIPHERS =
      joined(
          INTERMEDIATE_CIPHERS,
          List.of(
              "ECDHE-ECDSA-AES128-SHA256",
              "ECDHE-RSA-AES128-SHA256",
              "ECDHE-ECDSA-AES128-SHA",
              "ECDHE-RSA-AES128-SHA",
              "ECDHE-ECDSA-AES256-SHA384",
              "ECDHE-RSA-AES256-SHA384",
              "ECDHE-ECDSA-AES256-SHA",
              "ECDHE-RSA-AES256-SHA",
              "AES128-GCM-SHA256",
              "AES256-GCM-SHA384",
              "AES128-SHA256",
              "AES256-SHA256",
              "AES128-SHA",
              "AES256-SHA",
              "DES-CBC3-SHA"));

  public static final TlsProfile OLD = new TlsProfile(OLD_CIPHERS, TlsVersion.TLS10, List.of());
  public static final TlsProfile INTERMEDIATE =
      new TlsProfile(INTERMEDIATE_CIPHERS, TlsVersion.TLS12, List.of());
  public static final TlsProfile MODERN =
      new TlsProfile(CipherTable.TLS13_SUITES, TlsVersion.TLS13, List.of());

  /**
   * What is served while a profile is expected and none could be read: allowed by each of the
   * three, as Intermediate is not by Modern.
   */
  public static final TlsProfile FALLBACK = MODERN;

  private PredefinedProfiles() {}

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
