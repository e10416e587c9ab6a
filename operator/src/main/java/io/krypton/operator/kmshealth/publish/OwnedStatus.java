package io.krypton.operator.kmshealth.publish;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** What one field manager owns of a status, as a whole. */
public final class OwnedStatus {
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
    return client.resource(blank).subresource("status").patch(apply, blank);
  }
}
