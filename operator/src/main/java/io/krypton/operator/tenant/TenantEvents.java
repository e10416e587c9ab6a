package io.krypton.operator.tenant;

import io.krypton.api.tenant.TenantReasons;
import io.krypton.operator.rollout.Journal.Activity;
import io.krypton.operator.rollout.Words;
import java.util.Optional;

/** The words of Tenant events: old scripts and alerts look for them. */
final class TenantEvents {
  private TenantEvents() {}

  static Optional<Words> beginning(Activity activity, String release) {
    return switch (activity) {
      case INSTALLING -> Optional.of(Words.normal("HelmInstallStart", release));
      case UPGRADING -> Optional.of(Words.normal("HelmUpgradeStart", release));
      case UNLOCKING, DELETING -> Optional.empty();
    };
  }

  /** The event for entering an error; most errors have the same word in events as in conditions. */
  static Words ofReason(String reason, String message) {
    return Words.warning(
        switch (reason) {
          case TenantReasons.INSTALL_FAILED -> "HelmInstallFailed";
          case TenantReasons.UPGRADE_FAILED -> "HelmUpgradeFailed";
          case TenantReasons.VERSION_INVALID -> "ChartVersionInvalid";
          case TenantReasons.VERSION_NOT_FOUND -> "ChartVersionNotFound";
          default -> reason;
        },
        message);
  }
}
