package io.krypton.api.deployment;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

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
