package io.krypton.kms.encryption;

/**
 * What of the API server's own settings changes the meaning of the file: whether it reloads it
 * (names of providers are then unique over all versions), and whether it knows KMS v1.
 */
public record ReadOptions(boolean automaticReload, KmsV1Policy kmsV1) {
  /** An API server without flags. */
  public static final ReadOptions DEFAULT = new ReadOptions(false, KmsV1Policy.DENY);
}
