// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenantclass;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rollout.TargetSelector;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.rollout.ValuesReference.ChartValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What all releases of a class get, and how a change of it reaches them. */
@JsonClassDescription("The chart, the central values, and how a change of them is rolled out.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record TenantClassSpec(
    @JsonPropertyDescription("The chart that is rolled out.") @Required ChartSpec chart,
    @JsonPropertyDescription(
            "Central values. They win over clusterValues and valuesFrom; the values of a Tenant or"
                + " KryptonDeployment win over them.")
        @JsonInclude(NON_EMPTY)
        @PreserveUnknownFields
        Map<String, @Nullable Object> values,
    @JsonPropertyDescription(
            "Central values from ConfigMaps and Secrets in the namespace of this object; later"
                + " entries win. A change of them is rolled out like a change of this object.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 16)
        List<ValuesReference> valuesFrom,
    @JsonPropertyDescription(
            "Values for some clusters. They win over valuesFrom, values wins over them; of several"
                + " entries that match a cluster, later ones win.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 64)
        List<ClusterValues> clusterValues,
    @JsonPropertyDescription("What Tenants and KryptonDeployments of this class may do.")
        @Nullable Allowed allow,
    @JsonPropertyDescription("How many finished rollouts are kept.")
        @Default("10")
        @Min(0)
        @Max(100)
        Integer revisionHistoryLimit,
    @JsonPropertyDescription(
            "How a change reaches the releases. Absent: all at once, 50 at a time; the first failure"
                + " halts it.")
        @Nullable RolloutPolicy rollout) {
  private static final int DEFAULT_HISTORY = 10;

  public static final TenantClassSpec EMPTY =
      new TenantClassSpec(
          ChartSpec.NONE, Map.of(), List.of(), List.of(), null, DEFAULT_HISTORY, null);

  public TenantClassSpec {
    chart = requireNonNullElse(chart, ChartSpec.NONE);
    values = ChartValues.copyOf(values);
    valuesFrom = List.copyOf(requireNonNullElse(valuesFrom, List.of()));
    clusterValues = List.copyOf(requireNonNullElse(clusterValues, List.of()));
    revisionHistoryLimit = requireNonNullElse(revisionHistoryLimit, DEFAULT_HISTORY);
  }

  public Allowed allowed() {
    return requireNonNullElse(allow, Allowed.DEFAULT);
  }

  public RolloutPolicy policy() {
    return requireNonNullElse(rollout, RolloutPolicy.DEFAULT);
  }

  /** Names one chart. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record ChartSpec(
      @JsonPropertyDescription(
              "Where the chart is, as --chart-repo: an http(s) index repository, oci://…, or a"
                  + " directory or .tgz of the operator. Without credentials.")
          @Required
          @Size(min = 1, max = 1024)
          @ValidationRule(
              value =
                  "!self.contains('://') || self.matches('^(https?|oci)://[^/?#@]+(/[^?#]*)?$')",
              message =
                  "must begin with https://, http:// or oci:// and name a host, without"
                      + " credentials (use credentialsSecret), '?' and '#'")
          String repo,
      @JsonPropertyDescription("The name of the chart.")
          @Required
          @Size(min = 1, max = 250)
          @ValidationRule(
              value = "self.matches('^[A-Za-z0-9][A-Za-z0-9._-]*$')",
              message = "must have letters, digits, '.', '_' and '-' only")
          String name,
      @JsonPropertyDescription(
              "The exact version. A version that is published again with another content is"
                  + " refused.")
          @Required
          @Size(max = 128)
          @ValidationRule(
              value = ClassRules.VERSION_IS_EXACT,
              message = ClassRules.VERSION_IS_EXACT_MESSAGE)
          String version,
      @JsonPropertyDescription(
              "A Secret in the namespace of this object with the keys username and password for"
                  + " the repository or registry.")
          @Size(min = 1, max = 253)
          @Nullable String credentialsSecret,
      @JsonPropertyDescription(
              "A Secret in the namespace of this object whose key ca.crt holds the certificates"
                  + " (PEM) that the repository or registry is trusted by.")
          @Size(min = 1, max = 253)
          @Nullable String caSecret) {
    static final ChartSpec NONE = new ChartSpec("", "", "", null, null);

    public ChartSpec {
      repo = requireNonNullElse(repo, "");
      name = requireNonNullElse(name, "");
      version = requireNonNullElse(version, "");
    }
  }

  /** Values for the clusters that a selector matches. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record ClusterValues(
      @JsonPropertyDescription("The clusters, by the labels of their kubeconfig Secrets.") @Required
          TargetSelector clusters,
      @JsonPropertyDescription("Chart values for these clusters.")
          @JsonInclude(NON_EMPTY)
          @PreserveUnknownFields
          Map<String, @Nullable Object> values) {
    public ClusterValues {
      clusters = requireNonNullElse(clusters, TargetSelector.EVERYTHING);
      values = ChartValues.copyOf(values);
    }
  }

  /** What the users of a class may do. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record Allowed(
      @JsonPropertyDescription(
              "The clusters whose Tenants and KryptonDeployments may use this class, by the labels"
                  + " of their kubeconfig Secrets. Absent or empty: all.")
          @Nullable TargetSelector clusters,
      @JsonPropertyDescription("True: spec.pin may hold a release on a version of its own.")
          @Default("false")
          boolean pinning,
      @JsonPropertyDescription(
              "True: chart.version, and a pin, may be older than what is rolled out. Going back to"
                  + " the stable version in the middle of a rollout is always allowed.")
          @Default("false")
          boolean downgrade) {
    public static final Allowed DEFAULT = new Allowed(null, false, false);

    public boolean allowsCluster(Map<String, String> labels) {
      return clusters == null || clusters.matches(labels);
    }
  }
}
