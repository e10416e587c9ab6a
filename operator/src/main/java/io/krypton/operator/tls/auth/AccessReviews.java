// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import io.krypton.operator.tls.auth.CallerToken.Principal;

/** The two reviews of the API server. An implementation sends each once, with a timeout. */
interface AccessReviews {
  TokenStatus authenticate(CallerToken token) throws ReviewFailedException;

  boolean isAllowed(Principal principal, String path, String verb) throws ReviewFailedException;

  /** The API server gave no usable result. */
  final class ReviewFailedException extends Exception {
    private final boolean retriable;

    /**
     * @param retriable whether a retry may help soon
     * @param why one or two words, never anything of the request
     */
    ReviewFailedException(boolean retriable, String why) {
      super(why);
      this.retriable = retriable;
    }

    boolean isRetriable() {
      return retriable;
    }
  }

  /** The result of a TokenReview. */
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
