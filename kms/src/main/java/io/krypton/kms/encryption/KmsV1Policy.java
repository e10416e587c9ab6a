package io.krypton.kms.encryption;

/** What to do about providers of the deprecated KMS v1. */
public enum KmsV1Policy {
  /** As an API server with the feature gate KMSv1. */
  ALLOW,
  /** Accept them with a warning. */
  WARN,
  /** As an API server of version 1.29 or newer does by default. */
  DENY
}
