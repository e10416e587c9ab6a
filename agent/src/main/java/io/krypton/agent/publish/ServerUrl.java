package io.krypton.agent.publish;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;

/** Accepts the address of an API server: https, a host, no user, no query. */
final class ServerUrl {
  private ServerUrl() {}

  static URI parse(String where, String text) throws UnusableAccess {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      // The exception quotes the text, which may carry a password.
      throw new UnusableAccess(where + " is not a URL");
    }
    var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("https")) {
      throw new UnusableAccess(where + " must be an https URL");
    }
    if (uri.getHost() == null || uri.getRawUserInfo() != null) {
      throw new UnusableAccess(where + " must be https://<host>:<port> without a user");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new UnusableAccess(where + " must not have a query or a fragment");
    }
    return withoutTrailingSlash(uri);
  }

  /** Paths of the API begin with a slash and are appended as they are. */
  private static URI withoutTrailingSlash(URI uri) {
    return URI.create(uri.toString().replaceFirst("/+$", ""));
  }
}
