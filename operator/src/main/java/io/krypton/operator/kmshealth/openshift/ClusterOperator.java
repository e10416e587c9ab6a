package io.krypton.operator.kmshealth.openshift;

import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;

/** {@code clusteroperators.config.openshift.io}: how a part of the platform is doing. */
@Group("config.openshift.io")
@Version("v1")
@Kind("ClusterOperator")
@Plural("clusteroperators")
@Singular("clusteroperator")
public final class ClusterOperator
    extends CustomResource<Map<String, Object>, ClusterOperatorStatus> {
  @Override
  protected Map<String, Object> initSpec() {
    return Map.of();
  }

  @Override
  protected ClusterOperatorStatus initStatus() {
    return ClusterOperatorStatus.EMPTY;
  }
}
