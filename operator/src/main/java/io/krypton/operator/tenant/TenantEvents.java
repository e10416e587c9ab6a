package io.krypton.operator.tenant;

import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutListener;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.ReleaseName;
import java.util.List;
import java.util.Optional;

/** The words of Tenant events: old scripts and alerts look for them. */
final class TenantEvents {
  private TenantEvents() {}

  static Optional<RolloutEventMessage> ofActivity(Activity activity, String release) {
    return switch (activity) {
      case INSTALLING -> Optional.of(RolloutEventMessage.normal("HelmInstallStart", release));
      case UPGRADING -> Optional.of(RolloutEventMessage.normal("HelmUpgradeStart", release));
      case UNLOCKING -> Optional.empty();
    };
  }

  /** The event for entering an error; most errors have the same word in events as in conditions. */
  static RolloutEventMessage ofReason(String reason, String message) {
    return RolloutEventMessage.warning(
        switch (reason) {
          case TenantReasons.INSTALL_FAILED -> "HelmInstallFailed";
          case TenantReasons.UPGRADE_FAILED -> "HelmUpgradeFailed";
          case TenantReasons.VERSION_INVALID -> "ChartVersionInvalid";
          case TenantReasons.VERSION_NOT_FOUND -> "ChartVersionNotFound";
          default -> reason;
        },
        message);
  }

  /** Turns what the engine does into events and progress of one Tenant. */
  static final class TenantRolloutListener implements RolloutListener {
    private final TenantStatusWriter writer;

    TenantRolloutListener(TenantStatusWriter record) {
      this.writer = record;
    }

    @Override
    public void onStepStarted(Activity activity, ReleaseName release, boolean retry) {
      writer.write(new TenantState.Working(activity));
      if (!retry) {
        TenantEvents.ofActivity(activity, release.value()).ifPresent(writer::emit);
      }
    }

    @Override
    public void onInspected(List<UncheckedObject> unchecked) {
      writer.setUnchecked(unchecked);
    }

    @Override
    public void onEvent(RolloutEvent rolloutEvent) {
      if (rolloutEvent instanceof RolloutEvent.DriftFound drift && drift.repaired()) {
        writer.write(new TenantState.Repairing(RolloutEventMessage.repairMessage(drift)));
      }
      writer.emit(RolloutEventMessage.of(rolloutEvent));
    }
  }
}
