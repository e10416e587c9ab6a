// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.krypton.api.TlsProfileNames;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.tls.profile.TlsProfile;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The ConfigMap that carries the profile, and remembers the platform. */
final class TlsProfileConfigMap {
  private TlsProfileConfigMap() {}

  /** Only our fields, for server-side apply. */
  static ConfigMap of(String namespace, TlsProfile profile, Platform platform) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(TlsProfileNames.CONFIG_MAP)
        .addToAnnotations(annotations(profile, platform))
        .endMetadata()
        .addToData(TlsProfileNames.CONFIG_MAP_KEY, profile.canonicalJson())
        .build();
  }

  static boolean isUpToDate(@Nullable ConfigMap live, TlsProfile profile, Platform platform) {
    return hasProfile(live, profile)
        && annotations(profile, platform).entrySet().stream()
            .allMatch(wanted -> wanted.getValue().equals(annotation(live, wanted.getKey())));
  }

  /** Whether the bytes that consumers will read are exactly those of the profile. */
  static boolean hasProfile(@Nullable ConfigMap live, TlsProfile profile) {
    return profile.canonicalJson().equals(content(live).orElse(null));
  }

  static Optional<String> content(@Nullable ConfigMap live) {
    return live == null || live.getData() == null
        ? Optional.empty()
        : Optional.ofNullable(live.getData().get(TlsProfileNames.CONFIG_MAP_KEY));
  }

  static boolean isForOpenShift(@Nullable ConfigMap live) {
    return Platform.OPENSHIFT.value().equals(annotation(live, TlsProfileNames.PLATFORM_ANNOTATION));
  }

  private static Map<String, String> annotations(TlsProfile profile, Platform platform) {
    return Map.of(
        TlsProfileNames.HASH_ANNOTATION,
        profile.hash(),
        TlsProfileNames.PLATFORM_ANNOTATION,
        platform.value());
  }

  private static @Nullable String annotation(@Nullable ConfigMap live, String name) {
    return live == null
        ? null
        : Objects.requireNonNullElse(live.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(name);
  }
}
