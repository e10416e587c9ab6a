package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.operator.deployed.ObjectRef.Kind;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/** How a cluster serves kinds: under which path, and whether in namespaces. Asked once per kind. */
final class KindIndex {
  private final KubernetesClient client;
  private final Map<Kind, CompletableFuture<Optional<Served>>> known = new ConcurrentHashMap<>();

  /** Where a kind is served. */
  record Served(String plural, boolean namespaced) {}

  KindIndex(KubernetesClient client) {
    this.client = client;
  }

  /** Empty if the cluster does not serve the kind; that is asked again each time. */
  Optional<Served> find(Kind kind) {
    var mine = new CompletableFuture<Optional<Served>>();
    var first = known.putIfAbsent(kind, mine);
    if (first == null) {
      ask(kind, mine);
    }
    try {
      return (first == null ? mine : first).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private void ask(Kind kind, CompletableFuture<Optional<Served>> answer) {
    try {
      var served = served(kind);
      if (served.isEmpty()) {
        known.remove(kind);
      }
      answer.complete(served);
    } catch (RuntimeException failed) {
      known.remove(kind);
      answer.completeExceptionally(failed);
    }
  }

  private Optional<Served> served(Kind kind) {
    var resources = client.getApiResources(kind.apiVersion());
    if (resources == null) {
      return Optional.empty();
    }
    return resources.getResources().stream()
        .filter(resource -> kind.name().equals(resource.getKind()) && !isSubresource(resource))
        .map(
            resource ->
                new Served(resource.getName(), Boolean.TRUE.equals(resource.getNamespaced())))
        .findFirst();
  }

  private static boolean isSubresource(APIResource resource) {
    return resource.getName().contains("/");
  }
}
