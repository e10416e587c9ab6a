// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Requests in the order of the audit log, to be narrowed and counted. */
public record AuditTrail(List<AuditRecord> records) {
  public AuditTrail {
    records = List.copyOf(records);
  }

  public int size() {
    return records.size();
  }

  public AuditTrail by(String user) {
    return only(request -> request.user().equals(user));
  }

  public AuditTrail withVerb(String verb) {
    return only(request -> request.verb().equals(verb));
  }

  public AuditTrail on(String resource) {
    return only(request -> request.resource().equals(resource));
  }

  public AuditTrail inNamespace(String namespace) {
    return only(request -> request.namespace().equals(namespace));
  }

  public AuditTrail only(Predicate<AuditRecord> wanted) {
    return new AuditTrail(records.stream().filter(wanted).toList());
  }

  public Map<String, Long> perVerb() {
    return per(AuditRecord::verb);
  }

  public Map<String, Long> perResource() {
    return per(AuditRecord::resource);
  }

  public Map<String, Long> perUser() {
    return per(AuditRecord::user);
  }

  /** Counts by any property; the keys are sorted, so that two counts print alike. */
  public Map<String, Long> per(Function<AuditRecord, String> property) {
    return records.stream()
        .collect(Collectors.groupingBy(property, TreeMap::new, Collectors.counting()));
  }

  /**
   * One request as the API server saw it. What a request does not have (a name, a resource) is
   * empty.
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
}
