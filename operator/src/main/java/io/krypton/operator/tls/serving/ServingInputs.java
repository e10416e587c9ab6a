package io.krypton.operator.tls.serving;

import io.krypton.operator.tls.profile.TlsProfile;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where certificate and profile come from.
 *
 * @param certificates directory of {@code tls.crt} and {@code tls.key}; may be empty or missing
 * @param poll how often the directories are looked at, whatever their watches say
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
}
