// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Helm release that stands for an object on one cluster. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record Release(
    @JsonPropertyDescription("The cluster: the name of its kubeconfig Secret.") @Required
        String cluster,
    @JsonPropertyDescription("The name that helm list shows.") @Nullable String name,
    @JsonPropertyDescription("The namespace the release is installed in.")
        @Nullable String namespace,
    @JsonPropertyDescription("The revision that was deployed last.") @Nullable Integer revision,
    @JsonPropertyDescription("SHA-256 of chart and values of that revision.")
        @Nullable String fingerprint,
    @JsonPropertyDescription("The version of the chart of that revision.")
        @Nullable String chartVersion,
    @JsonPropertyDescription("The ChartRollout of its class that has not ended.")
        @Nullable String rollout,
    @JsonPropertyDescription("The wave of that rollout that this release is in.")
        @Nullable String wave,
    @JsonPropertyDescription("Where the release stands in that rollout.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable RolloutTargetState state) {
  public Release {
    cluster = requireNonNullElse(cluster, "");
  }

  /** Nothing is told about a rollout. */
  public Release(
      String cluster,
      @Nullable String name,
      @Nullable String namespace,
      @Nullable Integer revision,
      @Nullable String fingerprint) {
    this(cluster, name, namespace, revision, fingerprint, null, null, null, null);
  }

  /** The revision that was reported last for a cluster; zero if none was. */
  public static int revisionOn(String cluster, List<Release> reported) {
    return reported.stream()
        .filter(release -> release.cluster().equals(cluster) && release.revision() != null)
        .mapToInt(release -> requireNonNullElse(release.revision(), 0))
        .findFirst()
        .orElse(0);
  }
}
