package io.krypton.agent.gate.serve;

/**
 * An answer.
 *
 * @param nosniff whether peers are told not to guess the type
 * @param verdict for the header of that name; empty for none
 */
record Reply(int status, String contentType, boolean nosniff, String verdict, String body) {
  private static final String TEXT = "text/plain; charset=utf-8";

  static final Reply NOT_FOUND = text(404, "404 page not found\n");

  static Reply text(int status, String body) {
    return new Reply(status, TEXT, true, "", body);
  }

  Reply withVerdict(String word) {
    return new Reply(status, contentType, nosniff, word, body);
  }

  Reply withContentType(String type) {
    return new Reply(status, type, nosniff, verdict, body);
  }

  Reply withoutNosniff() {
    return new Reply(status, contentType, false, verdict, body);
  }
}
