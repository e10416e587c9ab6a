// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.base.kmsreport.ReportNames;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Removes what a dead reporter left: its entries, then its Lease. */
public final class OrphanRemover<T extends HasMetadata> {
  private static final int NO_ANSWER = 0;

  private final KubernetesClient client;
  private final Class<T> type;
  private final Supplier<T> blank;

  /**
   * For objects of one kind.
   *
   * @param blank makes an object of that kind without spec and status
   */
  public OrphanRemover(KubernetesClient client, Class<T> type, Supplier<T> blank) {
    this.client = client;
    this.type = type;
    this.blank = blank;
  }

  /** Tries once; what is left is for another look. */
  public Removal remove(String name, String node, @Nullable Lease lease) {
    try {
      var live = client.resources(type).withName(name).get();
      if (live != null) {
        removeEntries(live, node);
      }
      if (lease != null) {
        delete(lease);
      }
      return new Removal.Done();
    } catch (KubernetesClientException failed) {
      if (failed.getCode() == NO_ANSWER) {
        throw failed;
      }
      return new Removal.Unfinished("HTTP " + failed.getCode());
    }
  }

  /** First as the dead reporter itself, which cannot touch anything else; then what others left. */
  private void removeEntries(T live, String node) {
    var manager = ReportNames.fieldManager(node);
    var name = live.getMetadata().getName();
    if (OwnedStatus.has(live, manager)) {
      OwnedStatus.drop(client, live, blank.get(), manager);
    }
    var left =
        Optional.ofNullable(
                client
                    .genericKubernetesResources(live.getApiVersion(), live.getKind())
                    .withName(name)
                    .get())
            .map(object -> client.getKubernetesSerialization().convertValue(object, JsonNode.class))
            .map(object -> LeftoverEntriesPatch.of(object, node));
    if (left.isPresent() && !left.get().isEmpty()) {
      client
          .resources(type)
          .withName(name)
          .subresource("status")
          .patch(PatchContext.of(PatchType.JSON), left.get().toString());
    }
  }

  /** Only this very Lease as it was seen: a reporter that comes back in between keeps its own. */
  private void delete(Lease lease) {
    client.resource(lease).lockResourceVersion(lease.getMetadata().getResourceVersion()).delete();
  }

  /** How the removal of what a dead reporter left ended. */
  public sealed interface Removal {
    record Done() implements Removal {}

    /**
     * Something is left, because others wrote at the same time or the API server refused.
     *
     * @param why a short text that stays the same as long as the cause does
     */
    record Unfinished(String why) implements Removal {}
  }
}
