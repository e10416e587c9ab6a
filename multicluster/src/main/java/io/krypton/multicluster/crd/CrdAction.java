// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** What to do about one CRD; a pure decision. */
enum CrdAction {
  CREATE,
  REPLACE,
  /** Ours, of this version or newer: nothing to do. */
  KEEP,
  /** Must not be changed: its compatibility is checked instead. */
  CHECK_COMPATIBILITY,
  /** Absent, and must not be created. */
  REPORT_MISSING;

  static CrdAction decide(
      @Nullable CustomResourceDefinition served,
      CustomResourceDefinition ours,
      CrdPolicy policy,
      CrdVersioning versioning) {
    if (served == null) {
      return policy == CrdPolicy.SKIP ? REPORT_MISSING : CREATE;
    }
    var theirs = versioning.versionOf(served);
    if (theirs.isPresent()) {
      boolean lower = theirs.getAsInt() < versioning.versionOf(ours).orElse(0);
      if (!lower) {
        return KEEP;
      }
      return policy == CrdPolicy.SKIP ? CHECK_COMPATIBILITY : REPLACE;
    }
    return policy == CrdPolicy.CREATE_REPLACE ? REPLACE : CHECK_COMPATIBILITY;
  }

  /** The annotation that marks definitions as ours and orders them. */
  record CrdVersioning(String annotation) {

    /** Empty for a definition that is not ours. */
    OptionalInt versionOf(CustomResourceDefinition crd) {
      var annotations = crd.getMetadata().getAnnotations();
      var text = annotations == null ? null : annotations.get(annotation);
      if (text == null || !text.matches("\\d{1,9}")) {
        return OptionalInt.empty();
      }
      return OptionalInt.of(Integer.parseInt(text));
    }
  }
}
