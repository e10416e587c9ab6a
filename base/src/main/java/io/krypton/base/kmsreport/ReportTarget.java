// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The object whose status carries the reports; each is a singleton. */
public enum ReportTarget {
  KMSHEALTH("kmshealth", "mesh.openkcm.io/v1alpha1", "KmsHealth", "kmshealths"),
  KUBEAPISERVER("kubeapiserver", "operator.openshift.io/v1", "KubeAPIServer", "kubeapiservers"),
  OPENSHIFTAPISERVER(
      "openshiftapiserver",
      "operator.openshift.io/v1",
      "OpenShiftAPIServer",
      "openshiftapiservers"),
  AUTHENTICATION("authentication", "operator.openshift.io/v1", "Authentication", "authentications");

  /** The name of the singleton. */
  public static final String OBJECT_NAME = "cluster";

  private final String value;
  private final String apiVersion;
  private final String kind;
  private final String plural;

  ReportTarget(String value, String apiVersion, String kind, String plural) {
    this.value = value;
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.plural = plural;
  }

  public static Optional<ReportTarget> parse(String value) {
    return Stream.of(values()).filter(target -> target.value.equals(value)).findFirst();
  }

  /** As written on the command line, in labels and in Lease names. */
  public String value() {
    return value;
  }

  public String apiVersion() {
    return apiVersion;
  }

  public String kind() {
    return kind;
  }

  /** The field names between {@code status} and {@code encryptionStatus}. */
  public List<String> typedListParents() {
    return this == AUTHENTICATION ? List.of("oauthAPIServer") : List.of();
  }

  /** OpenShift's schema of a typed report is narrower than ours. */
  public boolean isOpenShift() {
    return this != KMSHEALTH;
  }

  public String statusPath() {
    return "/apis/%s/%s/%s/status".formatted(apiVersion, plural, OBJECT_NAME);
  }
}
