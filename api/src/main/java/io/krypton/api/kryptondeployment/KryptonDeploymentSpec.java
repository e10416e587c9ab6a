// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kryptondeployment;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_DEFAULT;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rollout.ValuesReference;
import io.krypton.api.rollout.ValuesReference.ChartValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a user asks of a KryptonDeployment. */
@JsonClassDescription("What is deployed, for whom and where.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record KryptonDeploymentSpec(
    @JsonPropertyDescription("Whom the deployment is for.") @Required Account account,
    @JsonPropertyDescription(
            "Where the deployment goes. When it changes, the chart is installed in the new region"
                + " first and then removed from the old one.")
        @Required
        Region region,
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
    @JsonPropertyDescription(
            "Chart values from ConfigMaps and Secrets on the home cluster; later entries win.")
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
  public static final KryptonDeploymentSpec EMPTY =
      new KryptonDeploymentSpec(Account.NONE, Region.NONE, false, Map.of(), List.of());

  /** Of the class {@code default} and without a pin. */
  public KryptonDeploymentSpec(
      Account account,
      Region region,
      boolean suspend,
      Map<String, @Nullable Object> values,
      List<ValuesReference> valuesFrom) {
    this(account, region, suspend, values, valuesFrom, null, null);
  }

  public KryptonDeploymentSpec {
    account = requireNonNullElse(account, Account.NONE);
    region = requireNonNullElse(region, Region.NONE);
    values = ChartValues.copyOf(values);
    valuesFrom = List.copyOf(requireNonNullElse(valuesFrom, List.of()));
  }

  public String classOrDefault() {
    return requireNonNullElse(className, ClassRules.DEFAULT_CLASS);
  }

  /** Whom a deployment is for. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record Account(
      @JsonPropertyDescription(
              "Identifies the account. An empty name is stored, but nothing is deployed for it.")
          @Required
          String name,
      @JsonPropertyDescription("A name for people.") @Nullable String displayName,
      @JsonPropertyDescription("Who answers for the account.") @Nullable String owner) {
    static final Account NONE = new Account("", null, null);

    public Account {
      name = requireNonNullElse(name, "");
    }
  }

  /** Where a deployment goes: a cluster, told by a kubeconfig Secret on the home cluster. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record Region(
      @JsonPropertyDescription(
              "The region. If nothing else names a Secret, <name>-kubeconfig in the operator's"
                  + " namespace is used.")
          @Required
          @Size(min = 1, max = 242)
          String name,
      @JsonPropertyDescription("Names the kubeconfig of the region's cluster.")
          @Nullable Kubeconfig kubeconfig,
      @JsonPropertyDescription(
              "Deprecated, still honoured: a Secret in the operator's namespace."
                  + " Use kubeconfig.secret.name instead.")
          @Nullable String kubeconfigSecretName) {
    static final Region NONE = new Region("", null, null);

    public Region {
      name = requireNonNullElse(name, "");
    }

    /** Where the kubeconfig of a region is kept. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(NON_NULL)
    public record Kubeconfig(
        @JsonPropertyDescription("The Secret on the home cluster that holds the kubeconfig.")
            @Nullable SecretKey secret) {}

    /** One key of a Secret. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    @JsonInclude(NON_NULL)
    public record SecretKey(
        @JsonPropertyDescription("Name of the Secret.") @Nullable String name,
        @JsonPropertyDescription(
                "Its namespace. Empty: the operator's. A Secret of a third namespace must carry the"
                    + " label by which clusters are discovered.")
            @Nullable String namespace,
        @JsonPropertyDescription("The data key. Empty: the operator's --kubeconfig-key.")
            @Nullable String key) {}
  }
}
