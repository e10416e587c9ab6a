package io.krypton.operator.tls.auth;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An API server that knows a few tokens and can be away. */
final class ScriptedReviews implements Reviews {
  final AtomicInteger authentications = new AtomicInteger();
  final AtomicInteger authorizations = new AtomicInteger();
  volatile boolean away;
  volatile boolean mayNotAsk;
  volatile boolean scraperMayRead = true;
  volatile boolean inDoubt;

  @Override
  public Identity authenticate(BearerToken token) throws NoVerdict {
    authentications.incrementAndGet();
    answerOrNot();
    if (inDoubt) {
      return new Identity.Doubtful();
    }
    return token.value().startsWith("unknown")
        ? new Identity.Nobody()
        : new Identity.Known(
            new Principal(
                token.value().startsWith("stranger") ? "stranger" : "scraper",
                "",
                List.of(),
                Map.of()));
  }

  @Override
  public boolean isAllowed(Principal principal, String path, String verb) throws NoVerdict {
    authorizations.incrementAndGet();
    answerOrNot();
    return scraperMayRead
        && principal.name().equals("scraper")
        && path.equals("/metrics")
        && verb.equals("get");
  }

  private void answerOrNot() throws NoVerdict {
    if (away) {
      throw new NoVerdict(true, "no answer");
    }
    if (mayNotAsk) {
      throw new NoVerdict(false, "HTTP 403");
    }
  }
}
