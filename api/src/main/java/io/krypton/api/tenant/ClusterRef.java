package io.krypton.api.tenant;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

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
