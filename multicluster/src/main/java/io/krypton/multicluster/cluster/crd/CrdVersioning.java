package io.krypton.multicluster.cluster.crd;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.OptionalInt;

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
