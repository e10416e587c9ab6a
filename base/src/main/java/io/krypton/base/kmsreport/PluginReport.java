// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one report says about one plugin. All texts may hold anything when they were read.
 *
 * @param keyId the serial number of the plugin's configuration
 * @param lastChecked when the probe began, by the clock of the node; null only if malformed
 * @param remoteKeyId the plugin's own name for its key, in the form to be published
 * @param cause why it is not healthy, one word for programs
 * @param detail more about it, without secrets and line breaks
 * @param role null if the report does not tell it
 * @param unreadableKeys null if there are none
 * @param interval the time between two probes, if the report tells it
 * @param lease of the reporter, if the report names it
 */
public record PluginReport(
    KeyId keyId,
    ReportedHealth health,
    @Nullable Instant lastChecked,
    @Nullable String remoteKeyId,
    @Nullable String cause,
    @Nullable String detail,
    @Nullable ReportedRole role,
    @Nullable UnreadableKeys unreadableKeys,
    @Nullable Duration interval,
    @Nullable LeaseName lease) {
  private static final String OLD_KEY_UNREADABLE = "OldKeyUnreadable";

  /** A plugin that works but for the data of an older key was once reported as failing. */
  public PluginReport {
    if (health == ReportedHealth.UNHEALTHY && OLD_KEY_UNREADABLE.equals(cause)) {
      health = ReportedHealth.HEALTHY;
      unreadableKeys = unreadableKeys == null ? UnreadableKeys.unnamed() : unreadableKeys;
    }
  }

  /** A plugin that works. */
  public static PluginReport healthy(
      KeyId keyId, Instant lastChecked, @Nullable String remoteKeyId) {
    return new PluginReport(
        keyId,
        ReportedHealth.HEALTHY,
        lastChecked,
        remoteKeyId,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /**
   * A plugin that does not answer, or not as it should.
   *
   * @param health {@code ERROR} or {@code UNHEALTHY}
   */
  public static PluginReport failing(
      KeyId keyId,
      ReportedHealth health,
      Instant lastChecked,
      @Nullable String remoteKeyId,
      String cause,
      @Nullable String detail) {
    if (health != ReportedHealth.ERROR && health != ReportedHealth.UNHEALTHY) {
      throw new IllegalArgumentException("not a failure: " + health);
    }
    return new PluginReport(
        keyId, health, lastChecked, remoteKeyId, cause, detail, null, null, null, null);
  }

  static PluginReport malformed(KeyId keyId) {
    return new PluginReport(
        keyId, ReportedHealth.MALFORMED, null, null, null, null, null, null, null, null);
  }

  public PluginReport withRole(@Nullable ReportedRole other) {
    return new PluginReport(
        keyId,
        health,
        lastChecked,
        remoteKeyId,
        cause,
        detail,
        other,
        unreadableKeys,
        interval,
        lease);
  }

  /** A healthy plugin that cannot decrypt the data of older keys; says so in the detail. */
  public PluginReport withUnreadableKeys(UnreadableKeys keys, @Nullable String about) {
    if (health != ReportedHealth.HEALTHY) {
      throw new IllegalArgumentException("a failing plugin says nothing of its older keys");
    }
    return new PluginReport(
        keyId, health, lastChecked, remoteKeyId, cause, about, role, keys, interval, lease);
  }

  PluginReport of(Duration probes, @Nullable LeaseName heartbeat) {
    return new PluginReport(
        keyId,
        health,
        lastChecked,
        remoteKeyId,
        cause,
        detail,
        role,
        unreadableKeys,
        probes,
        heartbeat);
  }

  PluginReport withDetail(@Nullable String other) {
    return new PluginReport(
        keyId,
        health,
        lastChecked,
        remoteKeyId,
        cause,
        other,
        role,
        unreadableKeys,
        interval,
        lease);
  }

  /** Says less: hashes in place of long key ids, and not which older keys are unreadable. */
  PluginReport abridged() {
    return new PluginReport(
        keyId,
        health,
        lastChecked,
        remoteKeyId == null ? null : KeyHash.ofReported(remoteKeyId).text(),
        cause,
        null,
        role,
        unreadableKeys == null ? null : UnreadableKeys.unnamed(),
        interval,
        lease);
  }

  /** Whether the other one says the same, apart from time and detail. */
  public boolean saysTheSameAs(PluginReport other) {
    return essence().equals(other.essence());
  }

  private PluginReport essence() {
    return new PluginReport(
        keyId, health, null, remoteKeyId, cause, null, role, unreadableKeys, null, null);
  }

  /** Two entries of one report: neither can be trusted more, so the worse counts. */
  PluginReport orWorse(PluginReport other) {
    return other.health.compareTo(health) > 0 ? other : this;
  }

  /**
   * The same plugin in a condition and in the typed list, as reporters of two ages leave them: the
   * newer counts, then the typed one. What cannot be read is never passed over.
   */
  PluginReport orNewer(PluginReport typed) {
    if (lastChecked == null || typed.lastChecked == null) {
      return lastChecked == null ? this : typed;
    }
    return lastChecked.compareTo(typed.lastChecked) > 0 ? this : typed;
  }
}
