// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Crds;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A control plane that serves what our controllers read of OpenShift. */
record OpenShiftCluster(ControlPlane plane) {
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String API_SERVER = "/apis/config.openshift.io/v1/apiservers/cluster";
  private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1";
  private static final String KMS_HEALTH = "/apis/mesh.openkcm.io/v1alpha1/kmshealths";

  void install(KubernetesClient client) {
    plane
        .admin()
        .post(
            CRDS,
            """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"apiservers.config.openshift.io",
              "annotations":{"api-approved.kubernetes.io":"unapproved, a test"}},
             "spec":{"group":"config.openshift.io","scope":"Cluster",
              "names":{"kind":"APIServer","listKind":"APIServerList","plural":"apiservers","singular":"apiserver"},
              "versions":[{"name":"v1","served":true,"storage":true,
               "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
            """)
        .orThrow();
    client.resource(Crds.kmsHealth()).create();
    Awaitility.await()
        .until(() -> plane.admin().get("/apis/config.openshift.io/v1/apiservers").ok());
    Awaitility.await().until(() -> plane.admin().get(KMS_HEALTH).ok());
    plane
        .admin()
        .post(
            KMS_HEALTH,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KmsHealth","metadata":{"name":"cluster"},"spec":{}}
            """)
        .orThrow();
  }

  void profile(String spec) {
    plane
        .admin()
        .apply(
            API_SERVER,
            "admin",
            """
            {"apiVersion":"config.openshift.io/v1","kind":"APIServer","metadata":{"name":"cluster"},"spec":%s}
            """
                .formatted(spec))
        .orThrow();
  }

  void deployment(String namespace, String name, String labels) {
    plane
        .admin()
        .post(
            "/apis/apps/v1/namespaces/%s/deployments".formatted(namespace),
            """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%1$s","labels":%2$s},
             "spec":{"replicas":0,"selector":{"matchLabels":{"app":"%1$s"}},
              "template":{"metadata":{"labels":{"app":"%1$s"}},
               "spec":{"containers":[{"name":"main","image":"example/%1$s:1","env":[{"name":"OWN","value":"x"}]},
                {"name":"side","image":"example/side:1"}]}}}}
            """
                .formatted(name, labels))
        .orThrow();
  }

  JsonNode deployment(String namespace, String name) {
    return plane
        .admin()
        .get("/apis/apps/v1/namespaces/%s/deployments/%s".formatted(namespace, name))
        .body();
  }

  static String hashOf(JsonNode deployment) {
    return deployment
        .at("/spec/template/metadata/annotations/mesh.openkcm.io~1tls-profile-hash")
        .asText("");
  }

  JsonNode configMap(String namespace) {
    return plane
        .admin()
        .get("/api/v1/namespaces/%s/configmaps/krypton-tls-profile".formatted(namespace))
        .body();
  }

  /** From now on whatever is written to ConfigMaps of a namespace arrives as something else. */
  void alterConfigMaps(String namespace) {
    plane
        .admin()
        .post(
            ADMISSION + "/mutatingadmissionpolicies",
            """
            {"metadata":{"name":"%1$s"},"spec":{"failurePolicy":"Fail","reinvocationPolicy":"Never",
             "matchConstraints":{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"%1$s"}},
              "resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"resources":["configmaps"],
               "operations":["CREATE","UPDATE"]}]},
             "mutations":[{"patchType":"JSONPatch","jsonPatch":{"expression":
              "[JSONPatch{op: \\"add\\", path: \\"/data\\", value: {\\"profile.json\\": \\"{}\\"}}]"}}]}}
            """
                .formatted(namespace))
        .orThrow();
    plane
        .admin()
        .post(
            ADMISSION + "/mutatingadmissionpolicybindings",
            "{\"metadata\":{\"name\":\"%1$s\"},\"spec\":{\"policyName\":\"%1$s\"}}"
                .formatted(namespace))
        .orThrow();
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isAltering(namespace));
  }

  void leaveConfigMapsAlone(String namespace) {
    plane.admin().delete(ADMISSION + "/mutatingadmissionpolicybindings/" + namespace);
    plane.admin().delete(ADMISSION + "/mutatingadmissionpolicies/" + namespace);
  }

  private boolean isAltering(String namespace) {
    return plane
        .admin()
        .post(
            "/api/v1/namespaces/%s/configmaps?dryRun=All".formatted(namespace),
            "{\"metadata\":{\"name\":\"trial\"}}")
        .orThrow()
        .path("data")
        .has("profile.json");
  }

  /** Such as {@code TLSProfileDegraded=True/TLSProfileInvalid}. */
  List<String> conditions() {
    var all = new ArrayList<String>();
    for (var condition :
        plane.admin().get(KMS_HEALTH + "/cluster").body().at("/status/conditions")) {
      all.add(
          "%s=%s/%s"
              .formatted(
                  condition.path("type").asText(),
                  condition.path("status").asText(),
                  condition.path("reason").asText()));
    }
    return all;
  }

  static KubernetesClient connect(ClientFactory clients, String kubeconfig) {
    var accepted =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(kubeconfig.getBytes(StandardCharsets.UTF_8));
    return clients
        .connect("home", accepted, ClientSettings.remote("krypton-test").withoutRetries())
        .client();
  }
}
