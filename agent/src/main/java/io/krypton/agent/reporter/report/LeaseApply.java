// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.agent.kube.ApiRequest;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportTarget;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * Builds the apply of a reporter's heartbeat.
 *
 * @param holder differs between two processes of one node
 * @param acquired the start of this process
 * @param duration how long a renewal stands; readers take it as the threshold of staleness
 */
public record LeaseApply(
    ReportTarget target,
    String nodeName,
    String namespace,
    String holder,
    Instant acquired,
    Duration duration) {
  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

  /** Says: at this time, what was last published is still true. */
  public ApiRequest renewal(Instant renewed) {
    return apply(holder, renewed);
  }

  /** A planned stop: no holder. The rest is sent again, because an apply drops what it omits. */
  public ApiRequest release(Instant renewed) {
    return apply("", renewed);
  }

  private ApiRequest apply(String holderIdentity, Instant renewed) {
    var name = ReportNames.lease(target.value(), nodeName);
    var lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1");
    lease.put("kind", "Lease");
    var metadata = lease.putObject("metadata");
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    metadata.putObject("labels").put(ReportNames.TARGET_LABEL, target.value());
    var spec = lease.putObject("spec");
    spec.put("holderIdentity", holderIdentity);
    spec.put("leaseDurationSeconds", wholeSeconds(duration));
    spec.put("acquireTime", MICROS.format(acquired));
    spec.put("renewTime", MICROS.format(renewed));
    return ApiRequest.apply(
        "/apis/coordination.k8s.io/v1/namespaces/%s/leases/%s".formatted(namespace, name),
        ReportNames.fieldManager(nodeName),
        lease);
  }

  private static long wholeSeconds(Duration duration) {
    return duration.plusNanos(999_999_999).toSeconds();
  }
}
