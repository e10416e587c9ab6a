package io.krypton.operator.kmshealth;

import io.krypton.operator.kmshealth.openshift.PlatformOperator;
import io.krypton.operator.kmshealth.publish.ClusterOperatorSync;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The ClusterOperator of an operator of the platform.
 *
 * @param isReallyMissing asks the server itself whether the operator is gone
 */
record PlatformSum<T extends PlatformOperator>(
    ClusterOperatorSync clusterOperator, BooleanSupplier isReallyMissing) implements Sum<T> {

  @Override
  public Optional<Instant> sync(T live, TargetState state, boolean inUse, Instant now) {
    return clusterOperator.sync(live, now);
  }

  @Override
  public void sourceIsMissing() {
    if (isReallyMissing.getAsBoolean()) {
      clusterOperator.sourceIsGone();
    }
  }
}
