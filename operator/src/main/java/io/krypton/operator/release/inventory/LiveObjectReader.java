// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Single objects as the server has them now, for when a cache is silent, late or not allowed. */
final class LiveObjectReader {
  private final KubernetesClient client;
  private final KindDiscovery kinds;

  LiveObjectReader(KubernetesClient client, KindDiscovery kinds) {
    this.client = client;
    this.kinds = kinds;
  }

  /** Workloads as their own types, because readiness is read from those. */
  Optional<HasMetadata> read(ObjectRef ref) {
    var servedKind = kinds.find(ref.kind()).orElse(null);
    if (servedKind == null) {
      return Optional.empty();
    }
    var type = KindWatches.WORKLOADS.get(servedKind.kind());
    return Optional.ofNullable(
        type == null
            ? resource(ref, servedKind).get()
            : client.resources(type).inNamespace(ref.namespace()).withName(ref.name()).get());
  }

  /** Null if the cluster does not serve the kind. */
  @Nullable Resource<GenericKubernetesResource> resource(ObjectRef ref) {
    return kinds.find(ref.kind()).map(servedKind -> resource(ref, servedKind)).orElse(null);
  }

  private Resource<GenericKubernetesResource> resource(
      ObjectRef ref, KindDiscovery.ServedKind servedKind) {
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup(servedKind.kind().group())
            .withVersion(servedKind.kind().version())
            .withKind(servedKind.kind().name())
            .withPlural(servedKind.plural())
            .withNamespaced(servedKind.namespaced())
            .build();
    var all = client.genericKubernetesResources(context);
    return servedKind.namespaced()
        ? all.inNamespace(ref.namespace()).withName(ref.name())
        : all.withName(ref.name());
  }
}
