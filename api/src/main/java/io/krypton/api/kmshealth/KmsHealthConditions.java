package io.krypton.api.kmshealth;

/** Condition types of KmsHealth. */
public final class KmsHealthConditions {
  /** What one reporter says about its node; see {@link #reporter}. */
  public static final String REPORTER_PREFIX = "KMSHealthReporter_";

  /** The aggregator's sum of all reports. */
  public static final String KMS_PLUGINS_DEGRADED = "KMSPluginsDegraded";

  public static final String KMS_KEYS_CONVERGED = "KMSKeysConverged";

  /** Plugins work, but cannot decrypt the data of an older remote key. Degrades nothing. */
  public static final String KMS_OLD_KEY_UNREADABLE = "KMSOldKeyUnreadable";

  /** The union of all types that end with this word. */
  public static final String DEGRADED = "Degraded";

  public static final String PLATFORM_DETECTED = "PlatformDetected";
  public static final String TLS_PROFILE_PUBLISHED = "TLSProfilePublished";
  public static final String TLS_PROFILE_NARROWED = "TLSProfileNarrowed";
  public static final String TLS_PROFILE_DEGRADED = "TLSProfileDegraded";

  private KmsHealthConditions() {}

  public static String reporter(String node) {
    return REPORTER_PREFIX + node;
  }
}
