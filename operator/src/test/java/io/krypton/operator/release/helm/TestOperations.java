// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision.ReleaseLabels;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.HelmOperation.Rollback;
import io.krypton.operator.release.helm.HelmOperation.Target;
import io.krypton.operator.release.helm.HelmOperation.Uninstall;
import io.krypton.operator.release.helm.HelmOperation.Upgrade;
import io.krypton.operator.release.values.ChartValues;
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
            () -> new HelmKubeconfig(kubeconfig),
            Duration.ofSeconds(30)));
  }

  public TestOperations within(Duration timeout) {
    return new TestOperations(new Target(target.release(), target.kubeconfig(), timeout));
  }

  /** What becomes this revision. */
  public static ReleaseSpec rollout(Path chart, ChartValues chartValues, int revision) {
    var fingerprint = Fingerprint.of(chart.toString(), "test", "1.0.0", chartValues);
    return new ReleaseSpec(
        TestCharts.archive(chart),
        chartValues,
        new ReleaseLabels(OWNER_UID, fingerprint, INSTANCE, revision, null));
  }

  public Install install(Path chart, Map<String, ?> values) {
    return new Install(target, rollout(chart, ChartValues.of(values), 1));
  }

  public Install install(Path chart) {
    return install(chart, Map.of());
  }

  /** The first one after an install. */
  public Upgrade upgrade(Path chart, Map<String, ?> values) {
    return new Upgrade(target, rollout(chart, ChartValues.of(values), 2));
  }

  public Upgrade upgradeOrInstall(Path chart) {
    return new Upgrade(target, rollout(chart, ChartValues.empty(), 2), true);
  }

  public Rollback rollback(int revision) {
    return new Rollback(target, revision);
  }

  public Uninstall uninstall() {
    return new Uninstall(target);
  }
}
