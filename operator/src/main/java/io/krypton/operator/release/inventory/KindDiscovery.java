// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.APIResource;
import io.fabric8.kubernetes.api.model.GroupVersionForDiscovery;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.operator.release.inventory.ObjectRef.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a cluster serves kinds: in which version, under which path, and whether in namespaces. A
 * version that the cluster no longer serves is found in another one of the kind, because the
 * objects are still there. Inquiry once per kind; an answer that may get better is asked for again
 * after a while.
 */
final class KindDiscovery {
  private static final Duration RECHECK = Duration.ofSeconds(30);

  /** Kinds that left their first group. */
  private static final Map<String, List<String>> SUCCESSORS =
      Map.of("extensions", List.of("apps", "networking.k8s.io", "policy"));

  private final KubernetesClient client;
  private final InstantSource clock;
  private final Map<Kind, Lookup> lookups = new ConcurrentHashMap<>();

  /** Where a kind is served. */
  record ServedKind(Kind kind, String plural, boolean namespaced) {
    /** Whether this is the version that was asked for. */
    boolean is(Kind asked) {
      return kind.equals(asked);
    }
  }

  private record Lookup(Instant at, CompletableFuture<Optional<ServedKind>> answer) {}

  KindDiscovery(KubernetesClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Empty if the cluster serves no version of the kind. */
  Optional<ServedKind> find(Kind kind) {
    var mine = new Lookup(clock.instant(), new CompletableFuture<>());
    var last = lookups.compute(kind, (key, before) -> isCurrent(before, kind) ? before : mine);
    if (last.equals(mine)) {
      discover(kind, mine);
    }
    try {
      return last.answer().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private boolean isCurrent(@Nullable Lookup asked, Kind kind) {
    if (asked == null) {
      return false;
    }
    var answer = asked.answer().getNow(Optional.empty());
    return !asked.answer().isDone()
        || answer.filter(servedKind -> servedKind.is(kind)).isPresent()
        || asked.at().plus(RECHECK).isAfter(clock.instant());
  }

  /** What was known of the kind no longer holds. */
  void forget(Kind kind) {
    lookups.remove(kind);
  }

  private void discover(Kind kind, Lookup asked) {
    try {
      asked.answer().complete(served(kind));
    } catch (RuntimeException failed) {
      lookups.remove(kind, asked);
      asked.answer().completeExceptionally(failed);
    }
  }

  private Optional<ServedKind> served(Kind kind) {
    var inItsVersion = findInVersion(kind.apiVersion(), kind.name());
    return inItsVersion.isPresent()
        ? inItsVersion
        : otherVersions(kind)
            .flatMap(apiVersion -> findInVersion(apiVersion, kind.name()).stream())
            .findFirst();
  }

  private Stream<String> otherVersions(Kind kind) {
    if (kind.group().isEmpty()) {
      return Stream.empty();
    }
    var groups = Stream.concat(Stream.of(kind.group()), successors(kind.group()));
    return groups
        .flatMap(this::versionsOf)
        .filter(apiVersion -> !apiVersion.equals(kind.apiVersion()));
  }

  private static Stream<String> successors(String group) {
    return SUCCESSORS.getOrDefault(group, List.of()).stream();
  }

  /** The preferred one first. */
  private Stream<String> versionsOf(String group) {
    var found = client.getApiGroup(group);
    if (found == null) {
      return Stream.empty();
    }
    var versions = new LinkedHashSet<String>();
    if (found.getPreferredVersion() != null) {
      versions.add(found.getPreferredVersion().getGroupVersion());
    }
    found.getVersions().stream()
        .map(GroupVersionForDiscovery::getGroupVersion)
        .forEach(versions::add);
    return versions.stream();
  }

  private Optional<ServedKind> findInVersion(String apiVersion, String kind) {
    var resources = client.getApiResources(apiVersion);
    if (resources == null) {
      return Optional.empty();
    }
    return resources.getResources().stream()
        .filter(resource -> kind.equals(resource.getKind()) && !isSubresource(resource))
        .map(
            resource ->
                new ServedKind(
                    new Kind(apiVersion, kind),
                    resource.getName(),
                    Boolean.TRUE.equals(resource.getNamespaced())))
        .findFirst();
  }

  private static boolean isSubresource(APIResource resource) {
    return resource.getName().contains("/");
  }
}
