// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.client.ApiReader;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads Tenants and KryptonDeployments by name. */
public final class RolloutObjectReader {
  private RolloutObjectReader() {}

  /** Fails, with the remedy, if there is no such object or no such kind. */
  public static RolloutObject get(Session session, ObjectName name) {
    try {
      var path = name.kind().selection().inNamespace(session.namespace()).path(name.name());
      return RolloutObject.of(name.kind(), session.api().get(path));
    } catch (KubernetesClientException failed) {
      if (!ApiErrors.isNotFound(failed)) {
        throw failed;
      }
      ApiErrors.requireServed(session, List.of(name.kind().plural()));
      throw CliException.failure(
          "%s is not in namespace %s of %s; name its namespace with -n"
              .formatted(name, session.namespace(), session.context()));
    }
  }

  /** The objects of a kind that are selected. */
  public static List<RolloutObject> list(
      ApiReader api, ObjectKind kind, MetadataSelection selection) {
    return api.list(selection.path()).stream()
        .map(object -> RolloutObject.of(kind, object))
        .toList();
  }

  /** The object that says it asked for a release; empty if none does that may be read. */
  public static Optional<String> owner(Session session, String release, String namespace) {
    return Stream.of(ObjectKind.values())
        .flatMap(kind -> all(session, kind))
        .filter(
            object ->
                object.releases().stream()
                    .anyMatch(
                        it ->
                            Objects.equals(it.name(), release)
                                && Objects.equals(it.namespace(), namespace)))
        .map(
            object ->
                "%s %s/%s"
                    .formatted(
                        object.kind().kind(),
                        object.metadata().getNamespace(),
                        object.metadata().getName()))
        .findFirst();
  }

  /** Of all namespaces; none where the kind is not served or may not be listed. */
  private static Stream<RolloutObject> all(Session session, ObjectKind kind) {
    try {
      return list(session.api(), kind, kind.selection()).stream();
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isForbidden(refused) || ApiErrors.isNotFound(refused)) {
        return Stream.empty();
      }
      throw refused;
    }
  }

  /** For changes. */
  public static Resource<? extends HasMetadata> resource(Session session, ObjectName name) {
    var type = name.kind() == ObjectKind.TENANT ? Tenant.class : KryptonDeployment.class;
    return session.client().resources(type).inNamespace(session.namespace()).withName(name.name());
  }
}
