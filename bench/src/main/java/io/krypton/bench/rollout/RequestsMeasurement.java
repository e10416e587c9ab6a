package io.krypton.bench.rollout;

import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.lab.Namespaces;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import io.krypton.sandbox.ControlPlaneBuilder;
import io.krypton.sandbox.audit.AuditRecord;
import io.krypton.sandbox.audit.AuditTrail;
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
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(45 + parameters.number("tenants") / 3);
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    var tenants = parameters.number("tenants");
    try (var scene = Scene.set(bench, ControlPlaneBuilder::withAudit);
        var operator = scene.operator()) {
      operator.awaitEngaged(1);
      var helm = scene.helm(scene.edge());
      Namespaces.create(scene.edge(), "plain-warm");
      helm.install("plain-warm", scene.chart(), true);
      scene.tenants().create("warm");
      operator.awaitReady(1);
      Thread.sleep(SETTLING);
      var mark = scene.edge().audit().mark();
      for (var i = 0; i < tenants; i++) {
        scene.tenants().create("tenant-" + i);
      }
      operator.awaitReady(1 + tenants);
      Thread.sleep(SETTLING);
      var trail = scene.edge().audit().since(mark);
      report(trail, tenants, findings);
    }
  }

  private static void report(AuditTrail trail, int tenants, Findings findings) {
    var operator = trail.only(it -> it.userAgent().startsWith("krypton"));
    var helm = trail.only(it -> it.userAgent().startsWith("Helm"));
    findings.add(perRelease("operator", operator, tenants));
    findings.add(perRelease("helm", helm, tenants));
    findings.text(
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
