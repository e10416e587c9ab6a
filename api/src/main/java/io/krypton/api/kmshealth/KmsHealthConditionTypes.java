// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

/** Condition types of KmsHealth. */
public final class KmsHealthConditionTypes {
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

  private KmsHealthConditionTypes() {}

  public static String reporter(String node) {
    return REPORTER_PREFIX + node;
  }

  /** Condition reasons of KmsHealth. */
  public static final class KmsHealthReasons {
    public static final String AS_EXPECTED = "AsExpected";

    // Reporter
    public static final String UNHEALTHY = "Unhealthy";
    public static final String UNREACHABLE = "Unreachable";

    // KMSPluginsDegraded, in the order in which they are joined
    public static final String PLUGIN_UNHEALTHY = "PluginUnhealthy";
    public static final String PLUGIN_ERROR = "PluginError";
    public static final String REPORTER_STALE = "ReporterStale";
    public static final String REPORTER_MISSING = "ReporterMissing";
    public static final String MALFORMED_REPORT = "MalformedReport";

    // Degraded, when nothing feeds it
    public static final String NO_DATA = "NoData";

    // KMSKeysConverged
    public static final String NO_WRITE_KEY = "NoWriteKey";
    public static final String WRITE_KEY_DIFFERS = "WriteKeyDiffers";
    public static final String DIVERGED = "Diverged";
    public static final String PLUGIN_NOT_HEALTHY = "PluginNotHealthy";
    public static final String STALE_REPORT = "StaleReport";
    public static final String MISSING_NODE = "MissingNode";
    public static final String NO_KEY_ID = "NoKeyID";
    public static final String NODES_LEARNED = "NodesLearned";
    public static final String WRITE_KEY_ASSUMED = "WriteKeyAssumed";
    public static final String STABILIZING = "Stabilizing";
    public static final String CONVERGED = "Converged";

    // KMSOldKeyUnreadable
    public static final String OLD_KEY_UNREADABLE = "OldKeyUnreadable";

    // PlatformDetected
    public static final String OPENSHIFT = "OpenShift";
    public static final String KUBERNETES = "Kubernetes";
    public static final String DETECTION_FAILED = "DetectionFailed";
    public static final String PLATFORM_FLIP = "PlatformFlip";

    // TLSProfilePublished
    public static final String NOT_REQUESTED = "NotRequested";
    public static final String SOURCE_UNAVAILABLE = "SourceUnavailable";
    public static final String WRITE_FAILED = "WriteFailed";
    public static final String READ_BACK_MISMATCH = "ReadBackMismatch";

    // TLSProfileNarrowed
    public static final String JVM_LIMITS = "JVMLimits";

    // TLSProfileDegraded, first that applies
    public static final String TLS_PROFILE_INVALID = "TLSProfileInvalid";
    public static final String TLS_PROFILE_NOT_FULLY_HONORED = "TLSProfileNotFullyHonored";
    public static final String CONSUMER_NOT_PATCHED = "ConsumerNotPatched";

    private KmsHealthReasons() {}
  }
}
