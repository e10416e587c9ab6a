package io.krypton.api.deployment;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

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
