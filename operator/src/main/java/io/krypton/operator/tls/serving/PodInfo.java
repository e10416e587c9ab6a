package io.krypton.operator.tls.serving;

import io.krypton.api.TlsProfileNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The annotations of our own pod, as the downward API writes them: one {@code key="value"} a line.
 */
public record PodInfo(Path directory) {
  private static final int MAX_BYTES = 1024 * 1024;
  private static final Pattern HASH =
      Pattern.compile(
          "^%s=\"([^\"]*)\"$".formatted(Pattern.quote(TlsProfileNames.HASH_ANNOTATION)),
          Pattern.MULTILINE);

  /** The hash of the profile that the pod was made for; empty outside of a pod. */
  public Optional<String> expectedHash() {
    try (var in = Files.newInputStream(directory.resolve(TlsProfileNames.POD_INFO_ANNOTATIONS))) {
      var found = HASH.matcher(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
      return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    } catch (IOException notInAPod) {
      return Optional.empty();
    }
  }
}
