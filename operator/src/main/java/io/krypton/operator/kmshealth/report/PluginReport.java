package io.krypton.operator.kmshealth.report;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one report says about one plugin. All texts come from outside and may hold anything.
 *
 * @param lastChecked by the clock of the node; null only if malformed
 * @param interval the time between two probes, if the report tells it
 * @param role null if the report does not tell it
 * @param lease of the reporter, if the report names it
 * @param oldKeys that it cannot read; null if there are none
 */
public record PluginReport(
    KeyId keyId,
    Reported reported,
    @Nullable Instant lastChecked,
    @Nullable String remoteKeyId,
    @Nullable String cause,
    @Nullable Duration interval,
    @Nullable String detail,
    Form form,
    @Nullable Role role,
    @Nullable LeaseName lease,
    @Nullable OldKeys oldKeys) {
  private static final String OLD_KEY_UNREADABLE = "OldKeyUnreadable";

  /** A plugin that works but for the data of an older key was once reported as failing. */
  public PluginReport {
    if (reported == Reported.UNHEALTHY && OLD_KEY_UNREADABLE.equals(cause)) {
      reported = Reported.HEALTHY;
      oldKeys = oldKeys == null ? OldKeys.unnamed() : oldKeys;
    }
  }

  static PluginReport malformed(KeyId keyId, Form form) {
    return new PluginReport(
        keyId, Reported.MALFORMED, null, null, null, null, null, form, null, null, null);
  }

  /** Two lines of one report: neither can be trusted more, so the worse counts. */
  PluginReport orWorse(PluginReport other) {
    return other.reported.compareTo(reported) > 0 ? other : this;
  }

  /**
   * The same plugin in two forms, as a reporter leaves them that was replaced by one of another
   * age: the newer counts. What cannot be read is never passed over.
   */
  PluginReport orNewer(PluginReport other) {
    if (lastChecked == null || other.lastChecked == null) {
      return lastChecked == null ? this : other;
    }
    var order = lastChecked.compareTo(other.lastChecked);
    var thisCounts = order == 0 ? form.compareTo(other.form) >= 0 : order > 0;
    return thisCounts ? this : other;
  }
}
