// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.util.Optional;
import java.util.regex.Pattern;

/** The limits that kube-apiserver sets for answers. */
final class ResponseLimits {
  private static final int KEY_ID_BYTES = 1024;
  private static final int V2_CIPHERTEXT_BYTES = 1024;
  private static final int V1_CIPHERTEXT_BYTES = 65535;
  private static final int ANNOTATION_BYTES = 32768;
  private static final int DOMAIN_LENGTH = 253;

  private static final String LABEL = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
  private static final Pattern DOMAIN = Pattern.compile(LABEL + "(?:\\." + LABEL + ")+");

  private ResponseLimits() {}

  static Optional<String> keyIdFault(String keyId) {
    var size = bytes(keyId);
    if (size == 0) {
      return Optional.of("key_id is empty");
    }
    return tooLong("key_id", size, KEY_ID_BYTES);
  }

  static Optional<String> encryptFault(KmsApiVersion api, EncryptedSample sample) {
    var size = sample.ciphertext().length;
    if (size == 0) {
      return Optional.of("ciphertext is empty");
    }
    if (api == KmsApiVersion.V1) {
      return tooLong("ciphertext", size, V1_CIPHERTEXT_BYTES);
    }
    return tooLong("ciphertext", size, V2_CIPHERTEXT_BYTES)
        .or(() -> keyIdFault(sample.keyId()))
        .or(() -> annotationFault(sample));
  }

  /** Neither keys nor values are shown: both come from the plugin and may reveal data. */
  private static Optional<String> annotationFault(EncryptedSample sample) {
    var annotations = sample.annotations();
    if (!annotations.keySet().stream().allMatch(ResponseLimits::isDomainOfTwoSegments)) {
      return Optional.of("an annotation key is not a domain with at least two segments");
    }
    var size =
        annotations.entrySet().stream().mapToInt(e -> bytes(e.getKey()) + e.getValue().length);
    return tooLong("annotations", size.sum(), ANNOTATION_BYTES);
  }

  private static boolean isDomainOfTwoSegments(String key) {
    var name = key.endsWith(".") ? key.substring(0, key.length() - 1) : key;
    return name.length() <= DOMAIN_LENGTH && DOMAIN.matcher(name).matches();
  }

  private static Optional<String> tooLong(String what, int size, int limit) {
    return size > limit
        ? Optional.of("%s has %d bytes, the limit is %d".formatted(what, size, limit))
        : Optional.empty();
  }

  private static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }
}
