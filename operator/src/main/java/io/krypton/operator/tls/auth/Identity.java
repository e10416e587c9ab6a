package io.krypton.operator.tls.auth;

/** What the API server makes of a token. */
sealed interface Identity {
  record Known(Principal principal) implements Identity {}

  /** A token of nobody. */
  record Nobody() implements Identity {}

  /**
   * The answer came with an error, which may be the token's or that of somebody whom the API server
   * has asked in turn. Nobody gets in by it, and the next request asks again.
   */
  record Doubtful() implements Identity {}
}
