// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.openshift;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import io.krypton.operator.kmshealth.openshift.OpenShiftOperator.OperatorSpec;
import org.jspecify.annotations.Nullable;

/** An operator of the platform that looks after an API server; there is one object of each kind. */
public abstract sealed class OpenShiftOperator
    extends CustomResource<OperatorSpec, OpenShiftOperatorStatus> {
  public static final String NAME = "cluster";

  @Override
  protected OperatorSpec initSpec() {
    return new OperatorSpec(null);
  }

  @Override
  protected OpenShiftOperatorStatus initStatus() {
    return OpenShiftOperatorStatus.EMPTY;
  }

  /** {@code authentications.operator.openshift.io}. */
  @Group("operator.openshift.io")
  @Version("v1")
  @Kind("Authentication")
  @Plural("authentications")
  @Singular("authentication")
  public static final class Authentication extends OpenShiftOperator {}

  /** {@code kubeapiservers.operator.openshift.io}. */
  @Group("operator.openshift.io")
  @Version("v1")
  @Kind("KubeAPIServer")
  @Plural("kubeapiservers")
  @Singular("kubeapiserver")
  public static final class KubeApiServer extends OpenShiftOperator {}

  /** {@code openshiftapiservers.operator.openshift.io}. */
  @Group("operator.openshift.io")
  @Version("v1")
  @Kind("OpenShiftAPIServer")
  @Plural("openshiftapiservers")
  @Singular("openshiftapiserver")
  public static final class OpenShiftApiServer extends OpenShiftOperator {}

  /** What an operator is told. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record OperatorSpec(@Nullable String managementState) {

    @JsonIgnore // Not a field of the platform's schema.
    public boolean isUnmanaged() {
      return "Unmanaged".equals(managementState);
    }
  }
}
