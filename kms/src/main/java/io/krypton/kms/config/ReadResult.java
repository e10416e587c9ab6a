// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import java.util.List;

/** What reading the file came to. No text in it holds key material. */
public sealed interface ReadResult {
  /** Hash of the raw bytes, {@code sha256:…}; empty if the file could not be read. */
  String contentHash();

  /** An API server would start with this file. Warnings of providers are with the provider. */
  record Loaded(EncryptionConfiguration configuration, List<String> warnings, String contentHash)
      implements ReadResult {
    public Loaded {
      warnings = List.copyOf(warnings);
    }
  }

  /** An API server would not start; the text is the one it gives, the hint may be empty. */
  record Invalid(String text, String hint, String contentHash) implements ReadResult {}
}
