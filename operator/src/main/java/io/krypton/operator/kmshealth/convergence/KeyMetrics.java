package io.krypton.operator.kmshealth.convergence;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds in the metrics of an API server the hash of the remote key it last encrypted with. Pure.
 */
public final class KeyMetrics {
  private static final String NAME =
      "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds{";
  private static final String WRITES = "transformation_type=\"to_storage\"";
  private static final Pattern HASH = Pattern.compile("key_id_hash=\"(sha256:[0-9a-f]{64})\"");

  private KeyMetrics() {}

  private record Use(String hash, double time) {}

  public static Optional<String> lastWritten(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(NAME) && line.contains(WRITES))
        .map(KeyMetrics::use)
        .flatMap(Optional::stream)
        .max(Comparator.comparingDouble(Use::time))
        .map(Use::hash);
  }

  private static Optional<Use> use(String line) {
    var hash = HASH.matcher(line);
    if (!hash.find()) {
      return Optional.empty();
    }
    try {
      var time = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      return Optional.of(new Use(hash.group(1), time));
    } catch (NumberFormatException odd) {
      return Optional.empty();
    }
  }
}
