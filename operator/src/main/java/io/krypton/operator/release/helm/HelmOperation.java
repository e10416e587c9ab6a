// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision.ReleaseLabels;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.Yaml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One change of one release. */
public sealed interface HelmOperation {

  Target target();

  /** The word that Helm, metrics and logs use for it. */
  String action();

  /** What the release shall hold after it, if the operation says so. */
  default Optional<ReleaseSpec> releaseSpec() {
    return Optional.empty();
  }

  /**
   * Where, with which credentials, and for how long Helm may wait.
   *
   * @param kubeconfig asked when the process starts: an operation may wait long for its slot, and
   *     tokens are renewed meanwhile
   */
  record Target(ReleaseKey release, Supplier<HelmKubeconfig> kubeconfig, Duration timeout) {}

  /** A packed chart, which never changes. */
  record ChartArchive(Path file, String sha256) {}

  /** What a release shall hold. */
  record ReleaseSpec(ChartArchive chart, ChartValues values, ReleaseLabels labels) {}

  record Install(Target target, ReleaseSpec spec) implements HelmOperation {
    @Override
    public String action() {
      return "install";
    }

    @Override
    public Optional<ReleaseSpec> releaseSpec() {
      return Optional.of(spec);
    }
  }

  /** {@code orInstall}: also when only history is left of the release. */
  record Upgrade(Target target, ReleaseSpec spec, boolean orInstall) implements HelmOperation {
    public Upgrade(Target target, ReleaseSpec rollout) {
      this(target, rollout, false);
    }

    @Override
    public String action() {
      return "upgrade";
    }

    @Override
    public Optional<ReleaseSpec> releaseSpec() {
      return Optional.of(spec);
    }
  }

  record Rollback(Target target, int toRevision) implements HelmOperation {
    @Override
    public String action() {
      return "rollback";
    }
  }

  /** Succeeds as well if there is no such release. */
  record Uninstall(Target target) implements HelmOperation {
    @Override
    public String action() {
      return "uninstall";
    }
  }

  /** Credentials for one cluster; the text shows in no {@code toString}. */
  record HelmKubeconfig(String yaml) {

    /** Every text in it that must not reach people: all about its users. */
    public Set<String> secrets() {
      var texts = new HashSet<String>();
      switch (Yaml.single(yaml)) {
        case Yaml.Documents documents when Yaml.first(documents) instanceof Map<?, ?> map ->
            collect(map.get("users"), texts);
        case Yaml.Documents ignored -> texts.addAll(yaml.lines().toList());
        case Yaml.Malformed ignored -> texts.addAll(yaml.lines().toList());
      }
      return texts;
    }

    private static void collect(@Nullable Object value, Set<String> into) {
      switch (value) {
        case Map<?, ?> map ->
            map.forEach(
                (key, below) -> {
                  if (!"name".equals(key)) {
                    collect(below, into);
                  }
                });
        case List<?> list -> list.forEach(item -> collect(item, into));
        case null -> {}
        default -> into.add(value.toString());
      }
    }

    @Override
    public String toString() {
      return "Kubeconfig(...)";
    }
  }

  /** A release among those of all clusters. */
  record ReleaseKey(String cluster, String namespace, ReleaseName name) {

    @Override
    public String toString() {
      return cluster + "/" + namespace + "/" + name;
    }
  }
}
