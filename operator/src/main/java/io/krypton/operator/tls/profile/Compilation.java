package io.krypton.operator.tls.profile;

import java.util.List;

/** A profile in the terms of one JVM and one key. */
public sealed interface Compilation {
  /**
   * What to set on a connection.
   *
   * @param narrowed what the profile allows and cannot be served, each with its reason
   */
  record Compiled(
      List<String> protocols, List<String> suites, List<String> groups, List<String> narrowed)
      implements Compilation {
    public Compiled {
      protocols = List.copyOf(protocols);
      suites = List.copyOf(suites);
      groups = List.copyOf(groups);
      narrowed = List.copyOf(narrowed);
    }
  }

  /** Nothing that the profile allows can be served. */
  record Rejected(String reason) implements Compilation {}
}
