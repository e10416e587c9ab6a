// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenant;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_DEFAULT;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static io.krypton.api.rollout.NamespaceRules.RESERVED;
import static io.krypton.api.rollout.NamespaceRules.VALUE_IS_FREE;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.rollout.ValuesReference.ChartValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a user asks of a Tenant. */
@JsonClassDescription("What is asked of the Tenant. A Tenant without a spec is valid.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record TenantSpec(
    @JsonPropertyDescription(
            "The namespace the chart is installed in. Empty: the name of the Tenant."
                + " It cannot be changed later, and it must not be a system namespace.")
        @Size(max = 63)
        @Pattern("^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$")
        @ValidationRule(value = VALUE_IS_FREE, message = RESERVED)
        @Nullable String workspace,
    @JsonPropertyDescription("Limits the Tenant to one cluster.") @Nullable ClusterRef clusterRef,
    @JsonPropertyDescription(
            "True: nothing is installed, upgraded or repaired. Deletion still uninstalls.")
        @JsonInclude(NON_DEFAULT)
        @Default("false")
        boolean suspend,
    @JsonPropertyDescription(
            "Chart values. They win over valuesFrom and over the values of the operator.")
        @JsonInclude(NON_EMPTY)
        @PreserveUnknownFields
        Map<String, @Nullable Object> values,
    @JsonPropertyDescription("Chart values from ConfigMaps and Secrets; later entries win.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 16)
        List<ValuesReference> valuesFrom,
    @JsonPropertyDescription(
            "The TenantClass that says which chart is rolled out. Absent: default. It cannot be"
                + " changed later.")
        @Size(min = 1, max = ClassRules.NAME_LIMIT)
        @Pattern(ClassRules.NAME_PATTERN)
        @Nullable String className,
    @JsonPropertyDescription(
            "An exact chart version that this release stays on, where its class allows pinning.")
        @Size(max = 128)
        @ValidationRule(
            value = ClassRules.VERSION_IS_EXACT,
            message = ClassRules.VERSION_IS_EXACT_MESSAGE)
        @Nullable String pin) {
  public static final TenantSpec EMPTY = new TenantSpec(null, null, false, Map.of(), List.of());

  /** Of the class {@code default} and without a pin. */
  public TenantSpec(
      @Nullable String workspace,
      @Nullable ClusterRef clusterRef,
      boolean suspend,
      Map<String, @Nullable Object> values,
      List<ValuesReference> valuesFrom) {
    this(workspace, clusterRef, suspend, values, valuesFrom, null, null);
  }

  public TenantSpec {
    values = ChartValues.copyOf(values);
    valuesFrom = List.copyOf(requireNonNullElse(valuesFrom, List.of()));
  }

  public String classOrDefault() {
    return requireNonNullElse(className, ClassRules.DEFAULT_CLASS);
  }

  /** The namespace for a Tenant of this name. */
  public String workspaceOf(String tenant) {
    return workspace == null || workspace.isEmpty() ? tenant : workspace;
  }

  /** Limits a Tenant to one cluster, told by the name of its kubeconfig Secret. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record ClusterRef(
      @JsonPropertyDescription(
              "The only cluster that rolls this Tenant out; on any other it is skipped."
                  + " Empty: every cluster that holds the Tenant.")
          @Size(max = 253)
          @Nullable String secretName,
      @JsonPropertyDescription("Accepted for older manifests; not compared with anything.")
          @Size(max = 63)
          @Nullable String secretNamespace) {}
}
