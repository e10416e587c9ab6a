package io.krypton.api.deployment;

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
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.rollout.Values;
import io.krypton.api.rollout.ValuesReference;
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
        List<ValuesReference> valuesFrom) {
  public static final KryptonDeploymentSpec EMPTY =
      new KryptonDeploymentSpec(Account.NONE, Region.NONE, false, Map.of(), List.of());

  public KryptonDeploymentSpec {
    account = requireNonNullElse(account, Account.NONE);
    region = requireNonNullElse(region, Region.NONE);
    values = Values.copyOf(values);
    valuesFrom = List.copyOf(requireNonNullElse(valuesFrom, List.of()));
  }
}
