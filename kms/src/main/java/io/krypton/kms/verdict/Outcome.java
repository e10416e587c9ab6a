package io.krypton.kms.verdict;

import java.util.List;

/** What one probe found. */
public sealed interface Outcome {
  /** All checks were good. */
  record Good() implements Outcome {}

  /**
   * All checks of the current key were good, but data of older keys cannot be decrypted. That is
   * what a rotation ends with, once the old key is destroyed; the plugin is healthy.
   *
   * @param keyHashes which keys, as {@code sha256:<hex>}, newest first
   */
  record OldKeysUnreadable(Finding finding, List<String> keyHashes) implements Outcome {
    public OldKeysUnreadable {
      keyHashes = List.copyOf(keyHashes);
    }
  }

  /** Something is odd but may be a rotation in progress; neither good nor a failure yet. */
  record Suspect(Finding finding) implements Outcome {}

  record Failing(Finding finding) implements Outcome {}

  Outcome GOOD = new Good();
}
