package io.krypton.kms.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

/** What kube-apiserver makes of an endpoint text. */
public sealed interface ParsedEndpoint {

  record Accepted(Endpoint endpoint) implements ParsedEndpoint {}

  /** Not a URL: the part of the text that was looked at, and what is wrong with it. */
  record Malformed(String url, String reason) implements ParsedEndpoint {
    /** Reads as kube-apiserver's message does: {@code parse "E": reason}. */
    public String message() {
      return "parse " + GoQuote.quote(url.getBytes(UTF_8)) + ": " + reason;
    }
  }

  /** The scheme in lower case; empty when there is none. */
  record UnsupportedScheme(String scheme) implements ParsedEndpoint {}
}
