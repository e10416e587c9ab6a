// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import io.krypton.operator.tls.auth.AccessReviews.TokenStatus;
import io.krypton.operator.tls.auth.CallerToken.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server that knows a few tokens and can be away. */
final class ScriptedReviews implements AccessReviews {
  final AtomicInteger authentications = new AtomicInteger();
  final AtomicInteger authorizations = new AtomicInteger();
  volatile boolean away;
  volatile boolean mayNotAsk;
  volatile boolean scraperMayRead = true;
  volatile boolean inDoubt;

  @Override
  public TokenStatus authenticate(CallerToken token) throws ReviewFailedException {
    authentications.incrementAndGet();
    answerOrNot();
    if (inDoubt) {
      return new TokenStatus.Inconclusive();
    }
    return token.value().startsWith("unknown")
        ? new TokenStatus.Unauthenticated()
        : new TokenStatus.Authenticated(
            new Principal(
                token.value().startsWith("stranger") ? "stranger" : "scraper",
                "",
                List.of(),
                Map.of()));
  }

  @Override
  public boolean isAllowed(Principal principal, String path, String verb)
      throws ReviewFailedException {
    authorizations.incrementAndGet();
    answerOrNot();
    return scraperMayRead
        && principal.name().equals("scraper")
        && path.equals("/metrics")
        && verb.equals("get");
  }

  private void answerOrNot() throws ReviewFailedException {
    if (away) {
      throw new ReviewFailedException(true, "no answer");
    }
    if (mayNotAsk) {
      throw new ReviewFailedException(false, "HTTP 403");
    }
  }
}
