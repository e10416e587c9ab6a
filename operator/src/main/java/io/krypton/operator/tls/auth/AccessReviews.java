package io.krypton.operator.tls.auth;

import io.krypton.operator.tls.auth.CallerToken.Principal;

/** The two questions to the API server. An implementation asks once and does not wait long. */
interface AccessReviews {
  TokenStatus authenticate(CallerToken token) throws ReviewFailedException;

  boolean isAllowed(Principal principal, String path, String verb) throws ReviewFailedException;

  /** The API server gave no answer that could be relied on. */
  final class ReviewFailedException extends Exception {
    private final boolean retriable;

    /**
     * @param passing whether asking again may help soon
     * @param why one or two words, never anything of the request
     */
    ReviewFailedException(boolean passing, String why) {
      super(why);
      this.retriable = passing;
    }

    boolean isRetriable() {
      return retriable;
    }
  }

  /** What the API server makes of a token. */
  sealed interface TokenStatus {
    record Authenticated(Principal principal) implements TokenStatus {}

    /** A token of nobody. */
    record Unauthenticated() implements TokenStatus {}

    /**
     * The answer came with an error, which may be the token's or that of somebody whom the API
     * server has asked in turn. Nobody gets in by it, and the next request asks again.
     */
    record Inconclusive() implements TokenStatus {}
  }
}
