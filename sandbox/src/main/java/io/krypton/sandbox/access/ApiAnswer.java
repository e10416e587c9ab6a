package io.krypton.sandbox.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpHeaders;
import java.util.Optional;

/** What an API server answered; a refusal is a value, because tests are about refusals. */
public record ApiAnswer(int status, HttpHeaders headers, JsonNode body) {

  public boolean ok() {
    return status / 100 == 2;
  }

  public Optional<String> header(String name) {
    return headers.firstValue(name);
  }

  public JsonNode orThrow() {
    if (!ok()) {
      throw new IllegalStateException("the API server answered %d: %s".formatted(status, body));
    }
    return body;
  }
}
