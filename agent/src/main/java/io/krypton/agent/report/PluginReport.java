package io.krypton.agent.report;

import io.krypton.kms.verdict.HealthClass;
import java.math.BigInteger;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one plugin.
 *
 * @param keyId the serial number of the plugin's configuration
 * @param lastChecked when the probe began, by the node's clock
 * @param remoteKeyId the plugin's own name for its key, in the form to be published; null if never
 *     seen
 * @param cause why it is not healthy, a word of the closed list of causes
 * @param detail more about it, already without secrets and line breaks
 */
public record PluginReport(
    BigInteger keyId,
    HealthClass health,
    Instant lastChecked,
    @Nullable String remoteKeyId,
    @Nullable String cause,
    @Nullable String detail) {

  public PluginReport {
    if (health == HealthClass.HEALTHY && (cause != null || detail != null)) {
      throw new IllegalArgumentException("a healthy plugin has neither cause nor detail");
    }
  }

  /** The part whose change is worth a write at once; the rest travels with the next one. */
  record Essence(
      BigInteger keyId, HealthClass health, @Nullable String cause, @Nullable String remoteKeyId) {}

  /** Whether the other one says the same, apart from time and detail. */
  public boolean saysTheSameAs(PluginReport other) {
    return essence().equals(other.essence());
  }

  Essence essence() {
    return new Essence(keyId, health, cause, remoteKeyId);
  }
}
