// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.ObjectName.ObjectKind;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads Tenants and KryptonDeployments by name. */
public final class RolloutObjectReader {
  private RolloutObjectReader() {}

  /** Fails, with the remedy, if there is no such object or no such kind. */
  public static RolloutObject get(Session session, ObjectName name) {
    var found = resource(session, name).get();
    if (found == null) {
      ApiErrors.requireServed(session, List.of(name.kind().plural()));
      throw CliException.failure(
          "%s is not in namespace %s of %s; name its namespace with -n"
              .formatted(name, session.namespace(), session.context()));
    }
    return RolloutObject.of(found);
  }

  /** The object that says it asked for a release; empty if none does that may be read. */
  public static Optional<String> owner(Session session, String release, String namespace) {
    return Stream.of(Tenant.class, KryptonDeployment.class)
        .flatMap(type -> all(session, type))
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
  private static Stream<RolloutObject> all(Session session, Class<? extends HasMetadata> type) {
    try {
      return session.client().resources(type).inAnyNamespace().list().getItems().stream()
          .map(RolloutObject::of);
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
