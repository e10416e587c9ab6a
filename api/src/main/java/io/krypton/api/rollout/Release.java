// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

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
        @Nullable String fingerprint) {
  public Release {
    cluster = requireNonNullElse(cluster, "");
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
