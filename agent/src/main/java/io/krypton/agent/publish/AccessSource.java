package io.krypton.agent.publish;

import java.nio.file.Path;
import java.util.Set;

/** Where credentials come from. */
public interface AccessSource {
  /** Reads everything anew. */
  Reading read();

  /**
   * What was found, and the files it depends on.
   *
   * @param files a change of any of them is a reason to read again, a missing one appearing too
   */
  record Reading(AccessState state, Set<Path> files) {
    public Reading {
      files = Set.copyOf(files);
    }
  }
}
