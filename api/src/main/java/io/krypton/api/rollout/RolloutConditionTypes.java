// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import io.krypton.api.event.EventReason;

/** Condition types of both Tenants and KryptonDeployments. */
public final class RolloutConditionTypes {
  public static final String READY = "Ready";

  /** Always present, and never True together with {@link #STALLED}. */
  public static final String RECONCILING = "Reconciling";

  public static final String STALLED = "Stalled";

  /**
   * Of a KryptonDeployment, present once it was False: whether all objects of the release could be
   * compared with its manifest.
   */
  public static final String DRIFT_CHECKED = "DriftChecked";

  private RolloutConditionTypes() {}

  /** Condition reasons of both Tenants and KryptonDeployments. */
  public static final class RolloutReasons {
    // Ready
    public static final String DEPLOYED = "Deployed";
    public static final String PROGRESSING = "Progressing";
    public static final String NOT_READY = "NotReady";
    public static final String REPAIR_TRIGGERED = "RepairTriggered";
    public static final String DELETING = "Deleting";

    // Errors
    public static final String NAMESPACE_CONFLICT = "NamespaceConflict";
    public static final String RESERVED_NAMESPACE = "ReservedNamespace";
    public static final String VALUES_NOT_FOUND = "ValuesNotFound";
    public static final String VALUES_INVALID = "ValuesInvalid";
    public static final String WORKLOADS_NOT_READY = "WorkloadsNotReady";

    public static final String CLASS_NOT_FOUND = EventReason.CLASS_NOT_FOUND.value();
    public static final String CLASS_NOT_ALLOWED = EventReason.CLASS_NOT_ALLOWED.value();
    public static final String PIN_NOT_ALLOWED = EventReason.PIN_NOT_ALLOWED.value();
    public static final String DOWNGRADE_REFUSED = EventReason.DOWNGRADE_REFUSED.value();

    // Reconciling, besides Progressing
    public static final String WAITING_FOR_WORKLOADS = "WaitingForWorkloads";
    public static final String RELEASE_LOCKED = "ReleaseLocked";
    public static final String WORKSPACE_TERMINATING = "WorkspaceTerminating";
    public static final String PROGRESSING_WITH_RETRY = "ProgressingWithRetry";
    public static final String IDLE = "Idle";
    public static final String SUSPENDED = "Suspended";
    public static final String STALLED = "Stalled";

    // Stalled, besides the reason of the failure
    public static final String NOT_STALLED = "NotStalled";

    // DriftChecked
    public static final String CHECKED = "Checked";
    public static final String DRY_RUN_REFUSED = EventReason.DRY_RUN_REFUSED.value();
    public static final String API_VERSION_NOT_SERVED = EventReason.API_VERSION_NOT_SERVED.value();

    private RolloutReasons() {}
  }
}
