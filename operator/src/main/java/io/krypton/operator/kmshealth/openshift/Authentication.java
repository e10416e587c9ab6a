package io.krypton.operator.kmshealth.openshift;

import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** {@code authentications.operator.openshift.io}. */
@Group("operator.openshift.io")
@Version("v1")
@Kind("Authentication")
@Plural("authentications")
@Singular("authentication")
public final class Authentication extends PlatformOperator {}
