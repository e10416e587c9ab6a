// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import io.krypton.operator.release.helm.StoringHelm;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Leaves on several clusters what Helm would, and remembers what it was asked for. */
final class RecordingHelm implements HelmClient {
  private final Map<String, StoringHelm> clusters;
  private final List<Run> runs = new CopyOnWriteArrayList<>();

  /** An install or upgrade. */
  record Run(String cluster, String namespace, ReleaseSpec spec) {}

  RecordingHelm(Map<String, KubernetesClient> clusters) {
    this.clusters =
        clusters.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, it -> new StoringHelm(it.getValue())));
  }

  int operations() {
    return runs.size();
  }

  List<Run> runs() {
    return List.copyOf(runs);
  }

  /** Does this before each operation on a cluster from now on. */
  void before(String cluster, Function<HelmOperation, @Nullable HelmResult> action) {
    clusters.get(cluster).before(action);
  }

  List<String> chartsOf(String cluster, String namespace) {
    return of(cluster, namespace, run -> run.spec().chart().file().getFileName().toString());
  }

  List<String> valuesOf(String cluster, String namespace) {
    return of(cluster, namespace, run -> run.spec().values().json());
  }

  List<Map<String, String>> labelsOf(String cluster, String namespace) {
    return of(cluster, namespace, run -> run.spec().labels().asMap());
  }

  private <T> List<T> of(String cluster, String namespace, Function<Run, T> value) {
    return runs.stream()
        .filter(run -> run.cluster().equals(cluster) && run.namespace().equals(namespace))
        .map(value)
        .toList();
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    var release = operation.target().release();
    switch (operation) {
      case HelmOperation.Install install -> record(release, install.spec());
      case HelmOperation.Upgrade upgrade -> record(release, upgrade.spec());
      default -> {}
    }
    return clusters.get(release.cluster()).run(operation);
  }

  private void record(ReleaseKey release, ReleaseSpec spec) {
    runs.add(new Run(release.cluster(), release.namespace(), spec));
  }

  @Override
  public boolean isRunning(ReleaseKey release) {
    return false;
  }

  @Override
  public boolean hasEnded(String instance) {
    return false;
  }

  @Override
  public boolean reserve(ReleaseKey release, Runnable call) {
    return true;
  }

  @Override
  public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
    return true;
  }

  @Override
  public void releaseReservation(ReleaseKey release) {}

  @Override
  public void stop(String cluster) {}

  @Override
  public void close() {}
}
