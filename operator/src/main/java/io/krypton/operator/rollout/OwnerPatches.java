package io.krypton.operator.rollout;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Small changes of an owner's metadata that leave everything else of it alone. */
public final class OwnerPatches {
  private static final int TRIES = 3;

  private OwnerPatches() {}

  /** Sets or, with null, removes an annotation. Answers false if the object is gone. */
  public static boolean annotate(
      KubernetesClient client, HasMetadata owner, String annotation, @Nullable String value) {
    var patch = JsonNodeFactory.instance.objectNode();
    var metadata = patch.putObject("metadata");
    metadata.put("uid", owner.getMetadata().getUid());
    metadata.putObject("annotations").put(annotation, value);
    return apply(client, owner, patch);
  }

  /** Answers false if the object is gone. */
  public static boolean addFinalizer(KubernetesClient client, HasMetadata owner, String finalizer) {
    return changeFinalizers(client, owner, finalizer, true);
  }

  /** Answers false if the object is gone, which for this purpose is as good. */
  public static boolean removeFinalizer(
      KubernetesClient client, HasMetadata owner, String finalizer) {
    return changeFinalizers(client, owner, finalizer, false);
  }

  /**
   * Finalizers are one list: written against the version they were read from, or others' would be
   * lost.
   */
  private static boolean changeFinalizers(
      KubernetesClient client, HasMetadata owner, String finalizer, boolean wanted) {
    var live = owner;
    for (var tries = 1; ; tries++) {
      var present = live.getMetadata().getFinalizers();
      if (present.contains(finalizer) == wanted) {
        return true;
      }
      try {
        return apply(client, live, finalizers(live, finalizer, wanted));
      } catch (KubernetesClientException refused) {
        if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT || tries == TRIES) {
          throw refused;
        }
      }
      var reread = client.resource(live).get();
      if (reread == null || !reread.getMetadata().getUid().equals(owner.getMetadata().getUid())) {
        return false;
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

  private static boolean apply(KubernetesClient client, HasMetadata owner, ObjectNode patch) {
    try {
      client.resource(owner).patch(PatchContext.of(PatchType.JSON_MERGE), patch.toString());
      return true;
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      throw refused;
    }
  }
}
