// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.api.condition.Condition;
import io.krypton.api.event.EventReason;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutListener;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import java.util.List;
import java.util.Optional;

/** The events of Tenants: scripts and alerts match their reasons. */
final class TenantEvents {
  private TenantEvents() {}

  static Optional<RolloutEventMessage> ofActivity(Activity activity, String release) {
    return switch (activity) {
      case INSTALLING ->
          Optional.of(new RolloutEventMessage(EventReason.HELM_INSTALL_START, release));
      case UPGRADING ->
          Optional.of(new RolloutEventMessage(EventReason.HELM_UPGRADE_START, release));
      case UNLOCKING -> Optional.empty();
    };
  }

  /** The event for an error; most errors have the same reason in events as in conditions. */
  static Optional<RolloutEventMessage> ofError(Condition error) {
    var reason =
        switch (error.reason()) {
          case TenantReasons.INSTALL_FAILED -> Optional.of(EventReason.HELM_INSTALL_FAILED);
          case TenantReasons.UPGRADE_FAILED -> Optional.of(EventReason.HELM_UPGRADE_FAILED);
          case TenantReasons.VERSION_INVALID -> Optional.of(EventReason.CHART_VERSION_INVALID);
          case TenantReasons.VERSION_NOT_FOUND -> Optional.of(EventReason.CHART_VERSION_NOT_FOUND);
          default -> EventReason.of(error.reason());
        };
    return reason.map(it -> new RolloutEventMessage(it, error.message()));
  }

  /** Turns the steps of a rollout into events and progress of one Tenant. */
  static final class TenantRolloutListener implements RolloutListener {
    private final TenantStatusWriter writer;

    TenantRolloutListener(TenantStatusWriter writer) {
      this.writer = writer;
    }

    @Override
    public void onStepStarted(Activity activity, ReleaseName release, boolean retry) {
      if (!retry) {
        TenantEvents.ofActivity(activity, release.value()).ifPresent(writer.owner()::emit);
      }
      writer.progress().stepStarted(new TenantState.Working(activity));
    }

    @Override
    public void onStepEnded() {
      writer.progress().stepEnded();
    }

    @Override
    public void onInspected(List<UncheckedObject> unchecked) {
      writer.owner().setUnchecked(unchecked);
    }

    @Override
    public void onEvent(RolloutEvent rolloutEvent) {
      if (rolloutEvent instanceof RolloutEvent.DriftFound drift && drift.repaired()) {
        writer.write(new TenantState.Repairing(RolloutEventMessage.repairMessage(drift)));
      }
      writer.owner().emit(RolloutEventMessage.of(rolloutEvent));
    }
  }
}
