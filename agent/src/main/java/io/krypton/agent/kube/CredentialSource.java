// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.nio.file.Path;
import java.util.Set;

/** Where credentials come from. */
public interface CredentialSource {
  /** Reads everything anew. */
  Reading read();

  /**
   * What was found, and the files it depends on.
   *
   * @param files a change of any of them is a reason to read again, a missing one appearing too
   */
  record Reading(CredentialState state, Set<Path> files) {
    public Reading {
      files = Set.copyOf(files);
    }
  }

  /** Whether the credentials on disk are usable; if not, they may be later. */
  sealed interface CredentialState {
    /** All files were there and made sense. */
    record Ready(ApiClientConfig access) implements CredentialState {}

    /**
     * Something is missing or wrong; the reason names the file and the remedy, never its content.
     */
    record NotYet(String reason) implements CredentialState {}
  }
}
