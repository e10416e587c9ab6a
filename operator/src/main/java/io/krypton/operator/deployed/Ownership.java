package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.operator.rollout.DeployedRelease;
import java.util.Optional;

/** The release that an object belongs to, as Helm's annotations on it say. */
record Ownership(String namespace, String release) {
  private static final String NAME = "meta.helm.sh/release-name";
  private static final String NAMESPACE = "meta.helm.sh/release-namespace";

  static Optional<Ownership> of(ObjectMeta metadata) {
    var annotations = metadata.getAnnotations();
    var name = annotations == null ? null : annotations.get(NAME);
    var namespace = annotations == null ? null : annotations.get(NAMESPACE);
    return name == null || namespace == null
        ? Optional.empty()
        : Optional.of(new Ownership(namespace, name));
  }

  boolean isOf(DeployedRelease deployed) {
    return namespace.equals(deployed.namespace()) && release.equals(deployed.name().value());
  }

  @Override
  public String toString() {
    return namespace + "/" + release;
  }
}
