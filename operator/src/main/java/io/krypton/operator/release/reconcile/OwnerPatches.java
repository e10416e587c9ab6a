// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ApiWriter;
import io.krypton.multicluster.client.ApiWriter.PatchFormat;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Small changes of an owner's metadata that leave everything else of it alone. Each answers with
 * the object as it is now, or nothing if it is gone: a caller that goes on with the one it had
 * before would only meet a conflict, and read it again.
 */
public final class OwnerPatches {
  private static final int MAX_ATTEMPTS = 3;

  private OwnerPatches() {}

  /** Sets or, with null, removes an annotation. */
  public static <T extends HasMetadata> Optional<T> annotate(
      KubernetesClient client, T owner, String annotation, @Nullable String value) {
    var patch = JsonNodeFactory.instance.objectNode();
    var metadata = patch.putObject("metadata");
    metadata.put("uid", owner.getMetadata().getUid());
    metadata.putObject("annotations").put(annotation, value);
    return apply(client, owner, patch);
  }

  public static <T extends HasMetadata> Optional<T> addFinalizer(
      KubernetesClient client, T owner, String finalizer) {
    return changeFinalizers(client, owner, finalizer, true);
  }

  /** That the object is gone is as good for this purpose. */
  public static <T extends HasMetadata> Optional<T> removeFinalizer(
      KubernetesClient client, T owner, String finalizer) {
    return changeFinalizers(client, owner, finalizer, false);
  }

  /**
   * Finalizers are one list: written against the version they were read from, or others' would be
   * lost.
   */
  private static <T extends HasMetadata> Optional<T> changeFinalizers(
      KubernetesClient client, T owner, String finalizer, boolean wanted) {
    var live = owner;
    for (var tries = 1; ; tries++) {
      var present = live.getMetadata().getFinalizers();
      if (present.contains(finalizer) == wanted) {
        return Optional.of(live);
      }
      try {
        return apply(client, live, finalizers(live, finalizer, wanted));
      } catch (KubernetesClientException refused) {
        if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT || tries == MAX_ATTEMPTS) {
          throw refused;
        }
      }
      var reread = client.resource(live).get();
      if (reread == null || !reread.getMetadata().getUid().equals(owner.getMetadata().getUid())) {
        return Optional.empty();
      }
      live = reread;
    }
  }

  private static ObjectNode finalizers(HasMetadata live, String finalizer, boolean wanted) {
    List<String> next = new ArrayList<>(live.getMetadata().getFinalizers());
    next.remove(finalizer);
    if (wanted) {
      next.add(finalizer);
    }
    var patch = JsonNodeFactory.instance.objectNode();
    var metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", live.getMetadata().getResourceVersion());
    var list = metadata.putArray("finalizers");
    next.forEach(list::add);
    return patch;
  }

  private static <T extends HasMetadata> Optional<T> apply(
      KubernetesClient client, T owner, ObjectNode patch) {
    @SuppressWarnings("unchecked") // An object has its own type.
    var type = (Class<T>) owner.getClass();
    try {
      return Optional.of(
          new ApiWriter(client)
              .patch(ApiWriter.pathOf(owner), PatchFormat.MERGE, patch.toString(), type));
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Optional.empty();
      }
      throw refused;
    }
  }
}
