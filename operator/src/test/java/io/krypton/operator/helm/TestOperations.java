package io.krypton.operator.helm;

import io.krypton.operator.helm.HelmOperation.Install;
import io.krypton.operator.helm.HelmOperation.Rollback;
import io.krypton.operator.helm.HelmOperation.Rollout;
import io.krypton.operator.helm.HelmOperation.Target;
import io.krypton.operator.helm.HelmOperation.Uninstall;
import io.krypton.operator.helm.HelmOperation.Upgrade;
import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.release.ReleaseLabels;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.values.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Operations on one release, short to write. */
public record TestOperations(Target target) {
  public static final String INSTANCE = "operator-1";
  public static final String OWNER_UID = "7d4c0f7e-0000-4000-8000-000000000001";

  public static TestOperations on(
      String cluster, String namespace, String release, String kubeconfig) {
    return new TestOperations(
        new Target(
            new ReleaseKey(cluster, namespace, new ReleaseName(release)),
            () -> new Kubeconfig(kubeconfig),
            Duration.ofSeconds(30)));
  }

  public TestOperations within(Duration timeout) {
    return new TestOperations(new Target(target.release(), target.kubeconfig(), timeout));
  }

  /** What becomes this revision. */
  public static Rollout rollout(Path chart, Values values, int revision) {
    var fingerprint = Fingerprint.of(chart.toString(), "test", "1.0.0", values);
    return new Rollout(
        chart, values, new ReleaseLabels(OWNER_UID, fingerprint, INSTANCE, revision));
  }

  public Install install(Path chart, Map<String, ?> values) {
    return new Install(target, rollout(chart, Values.of(values), 1));
  }

  public Install install(Path chart) {
    return install(chart, Map.of());
  }

  /** The first one after an install. */
  public Upgrade upgrade(Path chart, Map<String, ?> values) {
    return new Upgrade(target, rollout(chart, Values.of(values), 2));
  }

  public Upgrade upgradeOrInstall(Path chart) {
    return new Upgrade(target, rollout(chart, Values.empty(), 2), true);
  }

  public Rollback rollback(int revision) {
    return new Rollback(target, revision);
  }

  public Uninstall uninstall() {
    return new Uninstall(target);
  }
}
