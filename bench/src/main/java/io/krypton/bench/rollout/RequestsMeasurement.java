// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BareClient.Namespaces;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.sandbox.ControlPlaneBuilder;
import io.krypton.sandbox.audit.AuditTrail;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Who asks the API server what for one release, by its audit log. */
public final class RequestsMeasurement implements Measurement {
  /** The events of a burst are told at a pace, long after everything else. */
  private static final Duration SETTLING = Duration.ofSeconds(12);

  @Override
  public String name() {
    return "requests";
  }

  @Override
  public Parameters full() {
    return Parameters.of("tenants=20");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Optional<Parameters> goals() {
    return Optional.of(full());
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(45 + parameters.number("tenants") / 3);
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var tenants = parameters.number("tenants");
    try (var testbed = Testbed.create(benchEnvironment, ControlPlaneBuilder::withAudit);
        var operator = testbed.operator()) {
      operator.awaitEngaged(1);
      var helm = testbed.helm(testbed.edge());
      Namespaces.create(testbed.edge(), "plain-warm");
      helm.install("plain-warm", testbed.chart(), true);
      testbed.tenants().create("warm");
      operator.awaitReady(1);
      Thread.sleep(SETTLING);
      var mark = testbed.edge().audit().mark();
      for (var i = 0; i < tenants; i++) {
        testbed.tenants().create("tenant-" + i);
      }
      operator.awaitReady(1 + tenants);
      Thread.sleep(SETTLING);
      var trail = testbed.edge().audit().since(mark);
      report(trail, tenants, measurementRecorder);
    }
  }

  private static void report(
      AuditTrail trail, int tenants, MeasurementRecorder measurementRecorder) {
    var operator = trail.only(it -> it.userAgent().startsWith("krypton"));
    // The worker says so too, and has the operator's credentials.
    var helm = trail.only(it -> it.userAgent().startsWith("Helm"));
    measurementRecorder.add(
        perRelease("operator", operator, tenants).withGoal(RolloutGoals.REQUESTS));
    measurementRecorder.add(perRelease("helm", helm, tenants));
    measurementRecorder.text(
        "API requests per release",
        "| Who | What | per release |\n|---|---|---:|\n"
            + rows("operator", operator, tenants)
            + rows("helm", helm, tenants));
  }

  private static Figure perRelease(String who, AuditTrail trail, int tenants) {
    return Figure.ratio(
        "requests/" + who,
        "API requests per release, by " + who,
        trail.size() / (double) tenants,
        "",
        Better.LOWER);
  }

  private static String rows(String who, AuditTrail trail, int tenants) {
    var rows = new StringBuilder();
    trail
        .per(RequestsMeasurement::kind)
        .forEach(
            (kind, count) ->
                rows.append(
                    String.format(
                        Locale.ROOT, "| %s | %s | %.2f |%n", who, kind, count / (double) tenants)));
    return rows.toString();
  }

  private static String kind(AuditRecord request) {
    var what = request.resource().isEmpty() ? request.uri() : request.resource();
    var part = request.subresource().isEmpty() ? "" : "/" + request.subresource();
    var answer = request.code() >= 400 ? " → " + request.code() : "";
    return "%s %s%s%s".formatted(request.verb(), what, part, answer);
  }
}
