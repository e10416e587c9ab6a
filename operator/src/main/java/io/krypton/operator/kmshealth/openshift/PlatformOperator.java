package io.krypton.operator.kmshealth.openshift;

import io.fabric8.kubernetes.client.CustomResource;

/** An operator of the platform that looks after an API server; there is one object of each kind. */
public abstract sealed class PlatformOperator extends CustomResource<OperatorSpec, OperatorStatus>
    permits KubeApiServer, OpenShiftApiServer, Authentication {
  public static final String NAME = "cluster";

  @Override
  protected OperatorSpec initSpec() {
    return new OperatorSpec(null);
  }

  @Override
  protected OperatorStatus initStatus() {
    return OperatorStatus.EMPTY;
  }
}
