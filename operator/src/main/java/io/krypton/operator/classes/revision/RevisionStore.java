// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Labels;
import io.krypton.api.tenantclass.TenantClass;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;

/** The revisions of all classes on home, one Secret each; they go with their class. */
public final class RevisionStore {
  private final KubernetesClient home;
  private final String namespace;

  /**
   * @param namespace of the classes
   */
  public RevisionStore(KubernetesClient home, String namespace) {
    this.home = home;
    this.namespace = namespace;
  }

  /** All of a class, oldest first, from the server. */
  public Revisions list(TenantClass tenantClass) {
    var className = tenantClass.getMetadata().getName();
    var uid = tenantClass.getMetadata().getUid();
    return new Revisions(className, list(className, uid));
  }

  /** Those of an earlier class of that name are about to go. */
  private List<ClassRevision> list(String className, String uid) {
    return home
        .secrets()
        .inNamespace(namespace)
        .withLabel(Labels.CLASS, className)
        .list()
        .getItems()
        .stream()
        .filter(secret -> RevisionSecrets.TYPE.equals(secret.getType()))
        .filter(
            secret ->
                secret.getMetadata().getOwnerReferences().stream()
                    .anyMatch(owner -> owner.getUid().equals(uid)))
        .flatMap(secret -> RevisionSecrets.decode(className, secret).stream())
        .sorted(Comparator.comparingInt(ClassRevision::number))
        .toList();
  }

  /**
   * Stores a revision under a number that is not taken.
   *
   * @throws KubernetesClientException if it is taken after all
   */
  public void create(ClassRevision revision, TenantClass owner) {
    var secret = RevisionSecrets.encode(revision, namespace);
    secret
        .getMetadata()
        .setOwnerReferences(
            List.of(
                new OwnerReferenceBuilder()
                    .withApiVersion(owner.getApiVersion())
                    .withKind(owner.getKind())
                    .withName(owner.getMetadata().getName())
                    .withUid(owner.getMetadata().getUid())
                    .build()));
    var _ = home.resource(secret).create();
  }

  /** Nobody needs it any more. */
  public void delete(ClassRevision revision) {
    try {
      var _ =
          home.secrets()
              .inNamespace(namespace)
              .withName(RevisionSecrets.name(revision.className(), revision.number()))
              .delete();
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw refused;
      }
    }
  }
}
