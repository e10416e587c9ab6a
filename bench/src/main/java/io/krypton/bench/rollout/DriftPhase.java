package io.krypton.bench.rollout;

import io.krypton.bench.figure.Distribution;
import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.lab.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody deletes an object of a release: when do users see that it was noticed, when is it back?
 */
final class DriftPhase {
  private DriftPhase() {}

  static void run(Scene scene, int tenants, int drifts, Findings findings) throws Exception {
    var noticed = new ArrayList<Duration>();
    var repaired = new ArrayList<Duration>();
    var tenantsHere = scene.tenants();
    for (var i = 0; i < Math.min(drifts, tenants); i++) {
      var name = "tenant-" + i;
      var object = "/api/v1/namespaces/%s/configmaps/bench".formatted(name);
      var begun = System.nanoTime();
      scene.edge().admin().delete(object).orThrow();
      Waiting.timed("drift of %s noticed".formatted(name), () -> !tenantsHere.isReady(name));
      noticed.add(Duration.ofNanos(System.nanoTime() - begun));
      Waiting.timed(
          "drift of %s repaired".formatted(name), () -> scene.edge().admin().get(object).ok());
      repaired.add(Duration.ofNanos(System.nanoTime() - begun));
      Waiting.until("%s ready again".formatted(name), () -> tenantsHere.isReady(name));
    }
    var id = "life/%d/drift-".formatted(tenants);
    var what = "a deleted object (%d releases), until ".formatted(tenants);
    tell(findings, id + "noticed", what + "the status tells", noticed);
    tell(findings, id + "repaired", what + "it is back", repaired);
  }

  private static void tell(Findings findings, String id, String what, List<Duration> times) {
    var all = Distribution.ofMillis(times);
    findings.add(Figure.of(id + "-median", what + ": median", all.median(), "ms", Better.LOWER));
    findings.add(
        Figure.of(
            id + "-worst",
            "%s: worst of %d".formatted(what, times.size()),
            all.worst(),
            "ms",
            Better.LOWER));
  }
}
