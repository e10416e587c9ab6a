package io.krypton.api.rollout;

/** Condition types of both Tenants and KryptonDeployments. */
public final class RolloutConditions {
  public static final String READY = "Ready";

  /** Always present, and never True together with {@link #STALLED}. */
  public static final String RECONCILING = "Reconciling";

  public static final String STALLED = "Stalled";

  private RolloutConditions() {}
}
