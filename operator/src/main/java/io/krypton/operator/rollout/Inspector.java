package io.krypton.operator.rollout;

import java.io.IOException;
import java.util.List;

/** Looks at the objects that a release put on its cluster. */
public interface Inspector {
  /** What an inspection looks for. */
  enum Scope {
    /** Only whether workloads are ready: no object is compared with its manifest. */
    READINESS,
    /** Also what is missing or changed. */
    DRIFT,
    /**
     * Also gives Helm the fields that others edited and that would make its next run fail, or stay
     * beside what it writes.
     */
    DRIFT_TO_BE_REPAIRED
  }

  /**
   * What is missing, changed or not ready.
   *
   * @throws IOException with a text for users when the release cannot be read
   */
  Findings inspect(TargetCluster target, DeployedRelease release, Scope scope) throws IOException;

  /**
   * The objects of the release that Helm's annotations give to another release, each with that one.
   *
   * @throws IOException with a text for users when the release cannot be read
   */
  List<String> ownedByOthers(TargetCluster target, DeployedRelease release) throws IOException;

  /** The release is gone or belongs to nobody: nothing of it needs to be followed any more. */
  void forget(TargetCluster target, String namespace, String release);
}
