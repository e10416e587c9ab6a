package io.krypton.api.rollout;

/** Condition types of both Tenants and KryptonDeployments. */
public final class RolloutConditions {
  public static final String READY = "Ready";

  /** Always present, and never True together with {@link #STALLED}. */
  public static final String RECONCILING = "Reconciling";

  public static final String STALLED = "Stalled";

  /**
   * Of a KryptonDeployment, present once it was False: whether all objects of the release could be
   * compared with its manifest.
   */
  public static final String DRIFT_CHECKED = "DriftChecked";

  private RolloutConditions() {}
}
