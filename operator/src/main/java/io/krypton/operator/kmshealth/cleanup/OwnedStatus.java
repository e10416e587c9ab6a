// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.Optional;

/** What one field manager owns of a status, as a whole. */
public final class OwnedStatus {
  private static final int UNPROCESSABLE = 422;

  private OwnedStatus() {}

  public static boolean has(HasMetadata live, String manager) {
    return live.getMetadata().getManagedFields().stream()
        .anyMatch(
            entry ->
                manager.equals(entry.getManager())
                    && "status".equals(entry.getSubresource())
                    && "Apply".equals(entry.getOperation()));
  }

  /**
   * Gives up all of it, and nothing of anybody else: an apply without a status. An empty status
   * would be refused by some schemas.
   *
   * @param blank an object of the same kind without spec and status
   */
  public static <T extends HasMetadata> T drop(
      KubernetesClient client, T live, T blank, String manager) {
    blank.setMetadata(
        new ObjectMetaBuilder()
            .withName(live.getMetadata().getName())
            .withResourceVersion(live.getMetadata().getResourceVersion())
            .build());
    var apply = PatchContext.of(PatchType.SERVER_SIDE_APPLY);
    apply.setFieldManager(manager);
    apply.setForce(true);
    try {
      return client.resource(blank).subresource("status").patch(apply, blank);
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != UNPROCESSABLE) {
        throw refused;
      }
      return dropLastOwner(client, live, manager);
    }
  }

  /**
   * The same for the last owner of anything: where nothing would be left of a status, the API
   * server makes a null of it and then refuses that.
   */
  private static <T extends HasMetadata> T dropLastOwner(
      KubernetesClient client, T live, String manager) {
    var name = live.getMetadata().getName();
    var removal =
        Optional.ofNullable(
                client
                    .genericKubernetesResources(live.getApiVersion(), live.getKind())
                    .withName(name)
                    .get())
            .map(object -> client.getKubernetesSerialization().convertValue(object, JsonNode.class))
            .map(object -> OwnedFieldsPatch.of(object, manager));
    return removal.isEmpty() || removal.get().isEmpty()
        ? live
        : client
            .resource(live)
            .subresource("status")
            .patch(PatchContext.of(PatchType.JSON), removal.get().toString());
  }
}
