package io.krypton.sandbox.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * One request as the API server saw it. What a request does not have (a name, a resource) is empty.
 *
 * @param at when the answer was complete; for a watch, when it began
 */
public record AuditRecord(
    String id,
    String verb,
    String user,
    String userAgent,
    String uri,
    String resource,
    String subresource,
    String namespace,
    String name,
    int code,
    Instant at) {

  static AuditRecord of(JsonNode event) {
    return new AuditRecord(
        event.path("auditID").asText(),
        event.path("verb").asText(),
        event.at("/user/username").asText(),
        event.path("userAgent").asText(),
        event.path("requestURI").asText(),
        event.at("/objectRef/resource").asText(),
        event.at("/objectRef/subresource").asText(),
        event.at("/objectRef/namespace").asText(),
        event.at("/objectRef/name").asText(),
        event.at("/responseStatus/code").asInt(),
        Instant.parse(event.path("stageTimestamp").asText()));
  }
}
