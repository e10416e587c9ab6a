package io.krypton.operator.kmshealth.openshift;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import org.jspecify.annotations.Nullable;

/** What an operator is told. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperatorSpec(@Nullable String managementState) {

  @JsonIgnore // Not a field of the platform's schema.
  public boolean isUnmanaged() {
    return "Unmanaged".equals(managementState);
  }
}
