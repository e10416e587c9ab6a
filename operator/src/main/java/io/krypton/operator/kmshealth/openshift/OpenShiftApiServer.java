package io.krypton.operator.kmshealth.openshift;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** {@code openshiftapiservers.operator.openshift.io}. */
@Group("operator.openshift.io")
@Version("v1")
@Kind("OpenShiftAPIServer")
@Plural("openshiftapiservers")
@Singular("openshiftapiserver")
public final class OpenShiftApiServer extends PlatformOperator {}
