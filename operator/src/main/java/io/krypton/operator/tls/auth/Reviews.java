package io.krypton.operator.tls.auth;

/** The two questions to the API server. An implementation asks once and does not wait long. */
interface Reviews {
  Identity authenticate(BearerToken token) throws NoVerdict;

  boolean isAllowed(Principal principal, String path, String verb) throws NoVerdict;

  /** The API server gave no answer that could be relied on. */
  final class NoVerdict extends Exception {
    private final boolean passing;

    /**
     * @param passing whether asking again may help soon
     * @param why one or two words, never anything of the request
     */
    NoVerdict(boolean passing, String why) {
      super(why);
      this.passing = passing;
    }

    boolean isPassing() {
      return passing;
    }
  }
}
