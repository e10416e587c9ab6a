package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.snapshot.ProviderState;
import org.jspecify.annotations.Nullable;

/**
 * One check of a page.
 *
 * @param group under which it can be excluded with others; empty for none
 * @param fault what is wrong; empty if nothing is
 * @param required whether the fault counts for the page
 */
record HealthCheck(
    String name, String group, String fault, boolean required, @Nullable ProviderState provider) {
  static HealthCheck of(String name, String fault) {
    return new HealthCheck(name, "", fault, true, null);
  }

  boolean isOk() {
    return fault.isEmpty();
  }

  boolean fails() {
    return !isOk() && required;
  }
}
