package io.krypton.cli.operator;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.crd.CrdEnsurer;
import io.krypton.multicluster.cluster.crd.CrdResult;
import java.time.Duration;
import java.util.List;

/** Makes sure, before anything is watched, that a cluster serves what will be watched. */
final class CrdStep implements EngageStep {
  private final CrdEnsurer ensurer;
  private final List<CustomResourceDefinition> wanted;

  CrdStep(CrdEnsurer ensurer, List<CustomResourceDefinition> wanted) {
    this.ensurer = ensurer;
    this.wanted = List.copyOf(wanted);
  }

  @Override
  public Result run(Cluster cluster) {
    Result result = new Result.Done();
    for (var outcome : ensurer.ensure(cluster.client(), wanted)) {
      switch (outcome) {
        case CrdResult.Created created -> {}
        case CrdResult.Upgraded upgraded -> {}
        case CrdResult.UpToDate upToDate -> {}
        case CrdResult.Outdated(var crd, var what) ->
            result = new Result.DoneWithNotice("CRDOutdated", crd + ": " + what);
        case CrdResult.Incompatible(var crd, var why) -> {
          return new Result.NotYet("CRDIncompatible", crd + ": " + why);
        }
        case CrdResult.Failed(var crd, var why) -> {
          return new Result.NotYet("CRDEnsureFailed", crd + ": " + why);
        }
      }
    }
    return result;
  }

  @Override
  public Duration timeLimit() {
    return Duration.ofSeconds(45);
  }
}
