// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

/**
 * What of the API server's own settings changes the meaning of the file: whether it reloads it
 * (names of providers are then unique over all versions), and whether it knows KMS v1.
 */
public record ReadOptions(boolean automaticReload, KmsV1Policy kmsV1) {
  /** An API server without flags. */
  public static final ReadOptions DEFAULT = new ReadOptions(false, KmsV1Policy.DENY);

  /** What to do about providers of the deprecated KMS v1. */
  public enum KmsV1Policy {
    /** As an API server with the feature gate KMSv1. */
    ALLOW,
    /** Accept them with a warning. */
    WARN,
    /** As an API server of version 1.29 or newer does by default. */
    DENY
  }
}
