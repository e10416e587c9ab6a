// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.sandbox.ControlPlane;

/** A user who may do the operator's work, but neither list ConfigMaps nor give rights to others. */
final class Restricted {
  private Restricted() {}

  /** Once for each control plane. */
  static String kubeconfig(ControlPlane plane) {
    var admin = plane.admin();
    admin
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterroles",
            """
            {"metadata":{"name":"restricted"},"rules":[
             {"apiGroups":["apps","batch","autoscaling","apiextensions.k8s.io","mesh.openkcm.io"],
              "resources":["*"],"verbs":["*"]},
             {"apiGroups":[""],"resources":["namespaces","secrets","events"],"verbs":["*"]},
             {"apiGroups":[""],"resources":["configmaps"],
              "verbs":["get","create","update","patch","delete"]},
             {"nonResourceURLs":["*"],"verbs":["get"]}]}
            """)
        .orThrow();
    admin
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"restricted"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"restricted"},
             "subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"restricted"}]}
            """)
        .orThrow();
    return plane.kubeconfigFor("restricted");
  }

  /** Lifts the last restriction: now the user may also create Roles. */
  static void mayGiveRights(ControlPlane plane) {
    plane
        .admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"restricted-no-more"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"admin"},
             "subjects":[{"kind":"User","apiGroup":"rbac.authorization.k8s.io","name":"restricted"}]}
            """)
        .orThrow();
  }
}
