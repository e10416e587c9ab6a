package io.krypton.kms.verdict;

/** How deep a probe goes. */
public enum Level {
  /** Connect, then Status or Version. */
  STATUS,
  /** A round trip of Encrypt and Decrypt, and the canaries. */
  DEEP
}
