package io.krypton.operator.rollout;

import java.io.IOException;

/** Looks at the objects that a release put on its cluster. */
public interface Inspector {
  /**
   * What is missing, changed or not ready.
   *
   * @throws IOException with a text for users when the release cannot be read
   */
  Findings inspect(TargetCluster target, DeployedRelease release) throws IOException;

  /** The release is gone or belongs to nobody: nothing of it needs to be followed any more. */
  void forget(TargetCluster target, String namespace, String release);
}
