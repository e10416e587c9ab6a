package io.krypton.operator.deployed;

import io.krypton.operator.manifest.Readiness;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects of one revision of a release.
 *
 * @param revisionUid of the Secret that was read
 * @param ended Jobs that may be gone, and how they ended: those that the cluster removes some time
 *     after their end, and those that were seen to complete in this revision. To put one back would
 *     be to run it again.
 */
record Inventory(String revisionUid, List<ObjectRef> objects, Map<ObjectRef, Readiness> ended) {
  Inventory {
    objects = List.copyOf(objects);
    ended = new ConcurrentHashMap<>(ended);
  }

  /** Whether that is news. */
  boolean note(ObjectRef job, Readiness end) {
    return switch (end) {
      case Readiness.Ready complete -> !complete.equals(ended.put(job, complete));
      // Without a time to live it is there until somebody deletes it, to have it run again.
      case Readiness.Failed failed ->
          ended.containsKey(job) && !failed.equals(ended.put(job, failed));
      case Readiness.NotReady notReady -> false;
    };
  }
}
