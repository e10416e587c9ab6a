// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.HelmOperation.ChartArchive;
import io.krypton.operator.release.values.ChartValues;
import java.util.List;

/** Renders charts as a rollout would, without touching a cluster: {@code helm template}. */
@FunctionalInterface
public interface ChartRenderer {

  RenderResult render(Request request);

  /**
   * What is to be rendered, and for which cluster.
   *
   * @param kubeVersion of the cluster, as it says itself
   * @param apiVersions what it serves, as {@code group/version} and {@code group/version/Kind}
   * @param upgrade whether the release is there already; charts may ask for that
   */
  record Request(
      ReleaseName release,
      String namespace,
      ChartArchive chart,
      ChartValues values,
      String kubeVersion,
      List<String> apiVersions,
      boolean upgrade) {
    public Request {
      apiVersions = List.copyOf(apiVersions);
    }
  }

  /** The manifest without hooks, as Helm stores it, or why there is none. */
  sealed interface RenderResult {
    /** It may hold Secrets, so it shows in no {@code toString}. */
    record Manifest(String yaml) implements RenderResult {
      @Override
      public String toString() {
        return "Manifest(...)";
      }
    }

    record Failed(String message) implements RenderResult {}
  }
}
