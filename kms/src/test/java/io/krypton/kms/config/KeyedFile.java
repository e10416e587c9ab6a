// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;

import java.util.Random;
import java.util.stream.IntStream;

/** A valid file with a key in it that must not be seen. */
record KeyedFile(String content, String key) {
  /** So much of a key counts as the key. */
  private static final int FRAGMENT = 14;

  boolean isShownIn(String text) {
    return IntStream.rangeClosed(0, key.length() - FRAGMENT)
        .anyMatch(i -> text.contains(key.substring(i, i + FRAGMENT)));
  }

  static KeyedFile random(Random random) {
    var key = key(random);
    var content =
        switch (random.nextInt(3)) {
          case 0 -> block(key);
          case 1 -> aliased(key);
          default -> json(key);
        };
    return new KeyedFile(content, key);
  }

  /** A key of 32 bytes; each few characters of it are a mixture, as in most real ones. */
  private static String key(Random random) {
    var key = new StringBuilder();
    while (key.length() < 43) {
      key.append((char) ('a' + random.nextInt(26)))
          .append((char) ('0' + random.nextInt(10)))
          .append((char) ('A' + random.nextInt(26)));
    }
    return key.substring(0, 43) + "=";
  }

  private static String block(String key) {
    return HEAD
        + """
        resources:
        - resources: [secrets, configmaps]
          providers:
          - aescbc:
              keys:
              - name: key1
                secret: %1$s
              - {name: key2, secret: "%1$s"}
          - kms: {name: old, endpoint: "unix:///@abs", cachesize: 5, timeout: 3s}
        - resources:
          - '*.apps'
          providers:
          - secretbox:
              keys:
              - name: key1
                secret: %1$s
          - identity: {}
        """
            .formatted(key);
  }

  private static String aliased(String key) {
    return HEAD
        + """
        resources:
        - &first
          resources: [secrets]
          providers: &p
          - &k
            secretbox: {keys: [{name: a, secret: %1$s}]}
          - kms:
              apiVersion: v2
              name: a   # comment
              endpoint: >-
                unix:///tmp/a.sock
        - <<: {providers: [*k, *k]}
          resources: ["*.*"]
        ---
        secret: %1$s
        """
            .formatted(key);
  }

  private static String json(String key) {
    return """
    {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration",
     "resources": [{"resources": ["secrets"], "providers": [
       {"aesgcm": {"keys": [{"name": "k", "secret": "%1$s"}]}},
       {"kms": {"apiVersion": "v2", "name": "a", "endpoint": "unix:///a", "timeout": "1s"}}]}]}
    """
        .formatted(key);
  }
}
