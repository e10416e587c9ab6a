// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.decode.DecodedConfiguration;
import io.krypton.kms.config.decode.DecodedConfiguration.Kms;
import io.krypton.kms.config.decode.DecodedConfiguration.ResourceEntry;
import io.krypton.kms.config.validate.ResourceNameValidator.GroupResource;
import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.KeyRedactor;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What makes valid entries unusable together. Each entry is looked at with its providers first; the
 * first finding is the only one.
 */
final class CrossEntryRules {
  /** The two spaces are kube-apiserver's. */
  static final String KMS_V1_DENIED =
      "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead."
          + "  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.";

  private CrossEntryRules() {}

  static Optional<String> check(DecodedConfiguration configuration, KmsV1Policy kmsV1) {
    var earlier = new HashSet<GroupResource>();
    for (var entry : configuration.entries()) {
      if (kmsV1 == KmsV1Policy.DENY && usesKmsV1(entry)) {
        return Optional.of(KMS_V1_DENIED);
      }
      var masked = masked(entry.resources(), earlier);
      if (masked.isPresent()) {
        return masked;
      }
    }
    return Optional.empty();
  }

  private static boolean usesKmsV1(ResourceEntry entry) {
    return entry.providers().stream()
        .flatMap(element -> element.settings().stream())
        .anyMatch(setting -> setting instanceof Kms kms && kms.apiVersion().equals("v1"));
  }

  private static Optional<String> masked(List<String> resources, Set<GroupResource> earlier) {
    for (var name : resources) {
      var resource = GroupResource.parse(name);
      for (var rule : List.of(resource.wildcardOfGroup(), GroupResource.ANY)) {
        if (earlier.contains(rule)) {
          return Optional.of(
              "resource %s is masked by earlier rule %s".formatted(quote(resource), quote(rule)));
        }
      }
      earlier.add(resource);
    }
    return Optional.empty();
  }

  private static String quote(GroupResource resource) {
    return GoText.quote(KeyRedactor.redact(resource.toString()));
  }
}
