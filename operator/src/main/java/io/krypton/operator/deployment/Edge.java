package io.krypton.operator.deployment;

import io.krypton.operator.rollout.TargetCluster;

/** What can be told about the cluster that a target leads to. */
sealed interface Edge {
  /** Engaged, and all that is needed of it is in caches. */
  record Usable(TargetCluster cluster) implements Edge {}

  /** On its way in; whoever asked is woken. */
  record Opening() implements Edge {}

  /** Somebody has to do something, on the cluster, its Secret or the object; or time helps. */
  record Unavailable(String why) implements Edge {}
}
