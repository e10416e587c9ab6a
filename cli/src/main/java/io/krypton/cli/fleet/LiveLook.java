package io.krypton.cli.fleet;

import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.tenant.Tenant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cluster itself says when it is asked now. */
sealed interface LiveLook {
  /**
   * It answers.
   *
   * @param tenants null if they may not be listed
   * @param kms null if there is none, or it may not be read
   * @param gap what could not be read and why, or empty
   */
  record Answered(
      String version, @Nullable List<Tenant> tenants, @Nullable KmsHealth kms, String gap)
      implements LiveLook {
    public Answered {
      tenants = tenants == null ? null : List.copyOf(tenants);
    }
  }

  /** The kubeconfig is not one that the operator would use. */
  record Refused(String reason) implements LiveLook {}

  record Dead(String message) implements LiveLook {}

  /** We have no way to ask. */
  record NotAsked() implements LiveLook {}
}
