package io.krypton.agent.reporter;

/** What the reporter writes to the API server. */
enum WriteKind {
  REPORT("report"),
  LEASE("lease");

  private final String word;

  WriteKind(String word) {
    this.word = word;
  }

  String word() {
    return word;
  }
}
