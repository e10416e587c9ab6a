package io.krypton.operator.helm;

import io.krypton.operator.release.ReleaseLabels;
import io.krypton.operator.values.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** One change of one release. */
public sealed interface HelmOperation {

  Target target();

  /** The word that Helm, metrics and logs use for it. */
  String word();

  /**
   * Where, with which credentials, and for how long Helm may wait.
   *
   * @param kubeconfig asked when the process starts: an operation may wait long for its turn, and
   *     tokens are renewed meanwhile
   */
  record Target(ReleaseKey release, Supplier<Kubeconfig> kubeconfig, Duration timeout) {}

  /** What a release shall hold. */
  record Rollout(Path chart, Values values, ReleaseLabels labels) {}

  record Install(Target target, Rollout rollout) implements HelmOperation {
    @Override
    public String word() {
      return "install";
    }
  }

  /** {@code orInstall}: also when only history is left of the release. */
  record Upgrade(Target target, Rollout rollout, boolean orInstall) implements HelmOperation {
    public Upgrade(Target target, Rollout rollout) {
      this(target, rollout, false);
    }

    @Override
    public String word() {
      return "upgrade";
    }
  }

  record Rollback(Target target, int toRevision) implements HelmOperation {
    @Override
    public String word() {
      return "rollback";
    }
  }

  /** Succeeds as well if there is no such release. */
  record Uninstall(Target target) implements HelmOperation {
    @Override
    public String word() {
      return "uninstall";
    }
  }
}
