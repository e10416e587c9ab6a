// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.release.decide.DeployedRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Inspects the objects that a release put on its cluster. */
public interface ReleaseInspector {
  /** What an inspection checks. */
  enum Scope {
    /** Only whether workloads are ready: no object is compared with its manifest. */
    READINESS,
    /** Also what is missing or changed. */
    DRIFT,
    /**
     * Also gives Helm the fields that others edited and that would make its next run fail, or stay
     * beside what it writes.
     */
    DRIFT_REPAIR
  }

  /**
   * What is missing, changed or not ready.
   *
   * @throws IOException with a text for users when the release cannot be read
   */
  InspectionResult inspect(TargetCluster target, DeployedRelease release, Scope scope)
      throws IOException;

  /**
   * The objects of the release that Helm's annotations give to another release, each with that one.
   *
   * @throws IOException with a text for users when the release cannot be read
   */
  List<String> ownedByOthers(TargetCluster target, DeployedRelease release) throws IOException;

  /** Changes of the objects of the release, from now on. */
  ReleaseChanges.Waiter changes(TargetCluster target, DeployedRelease release);

  /**
   * Whoever stored this revision tells what it holds, so that it need not be read.
   *
   * @param manifest as it is stored
   */
  void stored(TargetCluster target, DeployedRelease release, String manifest);

  /** The release is gone or belongs to nobody: nothing of it needs to be followed any more. */
  void forget(TargetCluster target, String namespace, String release);

  /**
   * What an inspection of the objects of a release found, each named for a message.
   *
   * @param missing objects of the manifest that are not there
   * @param changed objects that differ from the manifest in fields the manifest sets
   * @param pending workloads that are not ready yet
   * @param failed workloads that will not get ready by themselves
   * @param unchecked objects that could not be compared with their manifest
   * @param complete false while a cache is not synced; its owner is enqueued then
   */
  record InspectionResult(
      List<String> missing,
      List<String> changed,
      List<String> pending,
      List<String> failed,
      List<UncheckedObject> unchecked,
      boolean complete) {
    public static final InspectionResult NONE =
        new InspectionResult(List.of(), List.of(), List.of(), List.of(), List.of(), true);

    public InspectionResult {
      missing = List.copyOf(missing);
      changed = List.copyOf(changed);
      pending = List.copyOf(pending);
      failed = List.copyOf(failed);
      unchecked = List.copyOf(unchecked);
    }

    /** The same, and one more that differs. */
    InspectionResult withChanged(String shown) {
      var all = new ArrayList<>(changed);
      all.add(shown);
      return new InspectionResult(missing, all, pending, failed, unchecked, complete);
    }

    public boolean hasDrift() {
      return !missing.isEmpty() || !changed.isEmpty();
    }
  }
}
