package io.krypton.kms.encryption;

/** What an API server needs a provider for. */
public enum ProviderRole {
  /** New data is encrypted by it. */
  WRITE,
  /** Only existing data is decrypted by it. */
  READ
}
