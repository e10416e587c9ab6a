package io.krypton.agent.publish;

/** Decides whether some text can be a bearer token. */
final class BearerToken {
  private BearerToken() {}

  /** The token without the line end that files carry; anything else unprintable is refused. */
  static String of(String where, String text) throws UnusableAccess {
    var token = text.strip();
    if (token.isEmpty()) {
      throw new UnusableAccess(where + " is empty");
    }
    if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new UnusableAccess(where + " holds characters that no token has");
    }
    return token;
  }
}
