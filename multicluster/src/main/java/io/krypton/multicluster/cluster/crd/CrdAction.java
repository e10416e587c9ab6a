package io.krypton.multicluster.cluster.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import org.jspecify.annotations.Nullable;

/** What to do about one definition; decided without looking anywhere else. */
enum CrdAction {
  CREATE,
  REPLACE,
  /** Ours, of this version or newer: there is nothing to judge. */
  KEEP,
  /** Not ours to change: it is judged, and served as it is. */
  JUDGE,
  /** Absent, and nothing may be written. */
  MISS;

  static CrdAction decide(
      @Nullable CustomResourceDefinition served,
      CustomResourceDefinition ours,
      CrdPolicy policy,
      CrdVersioning versioning) {
    if (served == null) {
      return policy == CrdPolicy.SKIP ? MISS : CREATE;
    }
    var theirs = versioning.versionOf(served);
    if (theirs.isPresent()) {
      boolean lower = theirs.getAsInt() < versioning.versionOf(ours).orElse(0);
      if (!lower) {
        return KEEP;
      }
      return policy == CrdPolicy.SKIP ? JUDGE : REPLACE;
    }
    return policy == CrdPolicy.CREATE_REPLACE ? REPLACE : JUDGE;
  }
}
