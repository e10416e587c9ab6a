// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.api.TlsProfileNames;
import io.krypton.multicluster.cache.ApiFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one pass. All reads go to the API server: a pass is rare and must not act on old
 * news.
 */
final class TlsProfileClient {
  private static final String API_SERVER_OBJECT = "cluster";

  private final KubernetesClient client;
  private final String namespace;

  TlsProfileClient(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  static Resource<GenericKubernetesResource> apiServer(KubernetesClient client) {
    return client
        .genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup("config.openshift.io")
                .withVersion("v1")
                .withPlural("apiservers")
                .withKind("APIServer")
                .withNamespaced(false)
                .build())
        .withName(API_SERVER_OBJECT);
  }

  TlsProfileDecision.Source source() {
    try {
      var object = apiServer(client).get();
      return object == null
          ? new TlsProfileDecision.Source.Missing()
          : new TlsProfileDecision.Source.Found(
              client
                  .getKubernetesSerialization()
                  .convertValue(
                      Objects.requireNonNullElse(object.get("spec"), Map.of()), JsonNode.class));
    } catch (KubernetesClientException failed) {
      return new TlsProfileDecision.Source.Failed(ApiFailure.of(failed).reason());
    }
  }

  @Nullable ConfigMap configMap() {
    return client.configMaps().inNamespace(namespace).withName(TlsProfileNames.CONFIG_MAP).get();
  }

  /** All Deployments of the namespace: those that lost the label must be seen as well. */
  List<ConsumerDeployment> deployments() {
    return deployments(client, namespace).list().getItems().stream()
        .map(ConsumerDeployment::new)
        .toList();
  }

  static NonNamespaceOperation<Deployment, DeploymentList, RollableScalableResource<Deployment>>
      deployments(KubernetesClient client, String namespace) {
    return client.apps().deployments().inNamespace(namespace);
  }

  Optional<ConsumerDeployment> deployment(String name) {
    return Optional.ofNullable(deployments(client, namespace).withName(name).get())
        .map(ConsumerDeployment::new);
  }

  void apply(HasMetadata fields) {
    client
        .resource(fields)
        .fieldManager(TlsProfileNames.FIELD_MANAGER)
        .forceConflicts()
        .serverSideApply();
  }
}
