// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cipher suites that profiles may name, by their OpenSSL and IANA names. RC4, static ECDH,
 * anonymous and NULL suites are not among them on purpose: to us they are unknown names.
 */
final class CipherTable {
  static final List<String> TLS13_SUITES =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** OpenSSL name, then the name of the JVM. */
  private static final String[][] OLDER_SUITES = {
    {"ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
    {"ECDHE-RSA-AES128-GCM-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"},
    {"ECDHE-ECDSA-AES256-GCM-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384"},
    {"ECDHE-RSA-AES256-GCM-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"},
    {"ECDHE-ECDSA-CHACHA20-POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"},
    {"ECDHE-RSA-CHACHA20-POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
    {"ECDHE-ECDSA-AES128-SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"},
    {"ECDHE-RSA-AES128-SHA256", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256"},
    {"ECDHE-ECDSA-AES128-SHA", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA"},
    {"ECDHE-RSA-AES128-SHA", "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA"},
    {"ECDHE-ECDSA-AES256-SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384"},
    {"ECDHE-RSA-AES256-SHA384", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA384"},
    {"ECDHE-ECDSA-AES256-SHA", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA"},
    {"ECDHE-RSA-AES256-SHA", "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA"},
    {"AES128-GCM-SHA256", "TLS_RSA_WITH_AES_128_GCM_SHA256"},
    {"AES256-GCM-SHA384", "TLS_RSA_WITH_AES_256_GCM_SHA384"},
    {"AES128-SHA256", "TLS_RSA_WITH_AES_128_CBC_SHA256"},
    {"AES256-SHA256", "TLS_RSA_WITH_AES_256_CBC_SHA256"},
    {"AES128-SHA", "TLS_RSA_WITH_AES_128_CBC_SHA"},
    {"AES256-SHA", "TLS_RSA_WITH_AES_256_CBC_SHA"},
    // The JVM lists this one under its older prefix only.
    {"DES-CBC3-SHA", "SSL_RSA_WITH_3DES_EDE_CBC_SHA"},
    {"DHE-RSA-AES128-GCM-SHA256", "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"},
    {"DHE-RSA-AES256-GCM-SHA384", "TLS_DHE_RSA_WITH_AES_256_GCM_SHA384"},
    {"DHE-RSA-CHACHA20-POLY1305", "TLS_DHE_RSA_WITH_CHACHA20_POLY1305_SHA256"},
    {"DHE-RSA-AES128-SHA256", "TLS_DHE_RSA_WITH_AES_128_CBC_SHA256"},
    {"DHE-RSA-AES256-SHA256", "TLS_DHE_RSA_WITH_AES_256_CBC_SHA256"},
    {"ECDHE-RSA-DES-CBC3-SHA", "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA"},
    // Further spellings that profiles use.
    {"TLS_RSA_WITH_3DES_EDE_CBC_SHA", "SSL_RSA_WITH_3DES_EDE_CBC_SHA"},
    {
      "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
    },
    {
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    },
  };

  private static final Map<String, String> SUITES = suites();

  private CipherTable() {}

  /** The JVM's name of a suite; empty if we know none of that name. */
  static Optional<String> suiteOf(String name) {
    return Optional.ofNullable(SUITES.get(name));
  }

  static boolean isTls13(String suite) {
    return TLS13_SUITES.contains(suite);
  }

  private static Map<String, String> suites() {
    var suites = new HashMap<String, String>();
    TLS13_SUITES.forEach(suite -> suites.put(suite, suite));
    for (var row : OLDER_SUITES) {
      suites.put(row[0], row[1]);
      suites.put(row[1], row[1]);
    }
    return Map.copyOf(suites);
  }
}
