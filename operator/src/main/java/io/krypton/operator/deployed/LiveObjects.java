package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Single objects as the server has them now, for when a cache is silent, late or not allowed. */
final class LiveObjects {
  private final KubernetesClient client;
  private final KindIndex kinds;

  LiveObjects(KubernetesClient client, KindIndex kinds) {
    this.client = client;
    this.kinds = kinds;
  }

  /** Workloads as their own types, because readiness is read from those. */
  Optional<HasMetadata> read(ObjectRef ref) {
    var served = kinds.find(ref.kind()).orElse(null);
    if (served == null) {
      return Optional.empty();
    }
    var type = KindWatches.WORKLOADS.get(served.kind());
    return Optional.ofNullable(
        type == null
            ? resource(ref, served).get()
            : client.resources(type).inNamespace(ref.namespace()).withName(ref.name()).get());
  }

  /** Null if the cluster does not serve the kind. */
  @Nullable Resource<GenericKubernetesResource> resource(ObjectRef ref) {
    return kinds.find(ref.kind()).map(served -> resource(ref, served)).orElse(null);
  }

  private Resource<GenericKubernetesResource> resource(ObjectRef ref, KindIndex.Served served) {
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup(served.kind().group())
            .withVersion(served.kind().version())
            .withKind(served.kind().name())
            .withPlural(served.plural())
            .withNamespaced(served.namespaced())
            .build();
    var all = client.genericKubernetesResources(context);
    return served.namespaced()
        ? all.inNamespace(ref.namespace()).withName(ref.name())
        : all.withName(ref.name());
  }
}
