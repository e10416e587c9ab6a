package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.schema.ListMap;
import java.util.List;

/** The typed reports, under the same path as in the objects of OpenShift. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record EncryptionStatus(
    @JsonPropertyDescription("One entry for each node and plugin; each reporter owns its own.")
        @ListMap(keys = {"nodeName", "keyID"})
        @JsonInclude(NON_EMPTY)
        @Size(max = 200)
        List<HealthReport> healthReports) {
  public EncryptionStatus {
    healthReports = List.copyOf(requireNonNullElse(healthReports, List.of()));
  }
}
