package io.krypton.agent.local;

/** What a local page says right now. */
public record Page(int status, String body) {
  public static Page ok(String body) {
    return new Page(200, body);
  }

  /** The usual answer of a probe: {@code ok}, or 503 and what is wrong. */
  public static Page probe(boolean good, String otherwise) {
    return good ? ok("ok\n") : new Page(503, otherwise + "\n");
  }
}
