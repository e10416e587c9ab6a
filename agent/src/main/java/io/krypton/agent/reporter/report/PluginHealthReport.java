package io.krypton.agent.reporter.report;

import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
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
 * @param role what the API server uses it for; null if nobody said
 * @param unreadableOldKeys hashes of older remote keys whose data it cannot decrypt; only of a
 *     healthy plugin
 */
public record PluginHealthReport(
    BigInteger keyId,
    HealthClass health,
    Instant lastChecked,
    @Nullable String remoteKeyId,
    @Nullable String cause,
    @Nullable String detail,
    @Nullable ProviderRole role,
    List<String> unreadableOldKeys) {

  public PluginHealthReport {
    unreadableOldKeys = List.copyOf(unreadableOldKeys);
    boolean degraded = !unreadableOldKeys.isEmpty();
    if (health == HealthClass.HEALTHY && (cause != null || (detail != null && !degraded))) {
      throw new IllegalArgumentException("a healthy plugin has neither cause nor detail");
    }
    if (health != HealthClass.HEALTHY && degraded) {
      throw new IllegalArgumentException("a failing plugin says nothing of its older keys");
    }
  }

  /** A plugin of which neither a role nor an unreadable key is known. */
  public PluginHealthReport(
      BigInteger keyId,
      HealthClass health,
      Instant lastChecked,
      @Nullable String remoteKeyId,
      @Nullable String cause,
      @Nullable String detail) {
    this(keyId, health, lastChecked, remoteKeyId, cause, detail, null, List.of());
  }

  public PluginHealthReport withRole(@Nullable ProviderRole other) {
    return new PluginHealthReport(
        keyId, health, lastChecked, remoteKeyId, cause, detail, other, unreadableOldKeys);
  }

  /** The part whose change is worth a write at once; the rest travels with the next one. */
  record SignificantFields(
      BigInteger keyId,
      HealthClass health,
      @Nullable String cause,
      @Nullable String remoteKeyId,
      @Nullable ProviderRole role,
      List<String> unreadableOldKeys) {}

  /** Whether the other one says the same, apart from time and detail. */
  public boolean isEquivalentTo(PluginHealthReport other) {
    return significantFields().equals(other.significantFields());
  }

  SignificantFields significantFields() {
    return new SignificantFields(keyId, health, cause, remoteKeyId, role, unreadableOldKeys);
  }
}
