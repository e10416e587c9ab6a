package io.krypton.cli.operator;

import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.SecretRef;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * A step for Tenants, who live on labelled clusters. A cluster that is engaged only because a
 * KryptonDeployment names its Secret gets no definitions and no watch of theirs.
 */
record OnlyLabelled(EngageStep step, Predicate<SecretRef> carriesLabel) implements EngageStep {
  @Override
  public Result run(Cluster cluster) throws Exception {
    return carriesLabel.test(cluster.secret()) ? step.run(cluster) : new Result.Done();
  }

  @Override
  public Duration timeLimit() {
    return step.timeLimit();
  }
}
