// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.api.TlsProfileNames;
import io.krypton.operator.tls.profile.TlsProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where certificate and profile come from.
 *
 * @param certificates directory of {@code tls.crt} and {@code tls.key}; may be empty or missing
 * @param poll how often the directories are polled, besides their watches
 */
public record ServingInputs(MountedDirectory certificates, ProfileSource profile, Duration poll) {
  /** Where the profile comes from. */
  public sealed interface ProfileSource {
    /** A file in this directory, under the key of the ConfigMap; TLS 1.3 only until it is there. */
    record File(Path directory) implements ProfileSource {}

    /** Given at the start. */
    record Flags(TlsProfile profile) implements ProfileSource {}

    /** Nobody gives one: Intermediate. */
    record None() implements ProfileSource {}
  }

  /**
   * The annotations of our own pod, as the downward API writes them: one {@code key="value"} a
   * line.
   */
  public record PodAnnotations(Path directory) {
    private static final int MAX_BYTES = 1024 * 1024;
    private static final Pattern HASH =
        Pattern.compile(
            "^%s=\"([^\"]*)\"$".formatted(Pattern.quote(TlsProfileNames.HASH_ANNOTATION)),
            Pattern.MULTILINE);

    /** The hash of the profile that the pod was made for; empty outside of a pod. */
    public Optional<String> expectedProfileHash() {
      try (var in = Files.newInputStream(directory.resolve(TlsProfileNames.POD_INFO_ANNOTATIONS))) {
        var found = HASH.matcher(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
      } catch (IOException notInAPod) {
        return Optional.empty();
      }
    }
  }

  /** The two things that make up the TLS of a server. */
  public enum TlsInput {
    CERTIFICATE("certificate"),
    PROFILE("profile");

    private final String value;

    TlsInput(String word) {
      this.value = word;
    }

    /** As metrics spell it. */
    public String value() {
      return value;
    }
  }
}
