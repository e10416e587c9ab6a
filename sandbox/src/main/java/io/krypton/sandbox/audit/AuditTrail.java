package io.krypton.sandbox.audit;

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
}
