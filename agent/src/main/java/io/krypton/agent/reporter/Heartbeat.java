package io.krypton.agent.reporter;

/** How a reporter shows that it is alive while nothing changes. */
public enum Heartbeat {
  /** Renews a Lease of its own. */
  LEASE("lease"),
  /** Writes the report again at every tick. */
  CONDITION("condition");

  private final String word;

  Heartbeat(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }
}
