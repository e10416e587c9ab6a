package io.krypton.operator.deployed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.operator.manifest.Autoscaling;
import io.krypton.operator.manifest.Drift;
import io.krypton.operator.manifest.HandEdits;
import io.krypton.operator.manifest.HandEdits.Extent;
import io.krypton.operator.manifest.ManifestObject;
import java.net.HttpURLConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the server what the manifest would change in a live object: nothing means no drift. */
final class DriftCheck {
  /** An object that changes between every read and its dry run tells of itself soon enough. */
  private static final int TRIES = 5;

  private final KubernetesClient client;
  private final LiveObjects objects;

  /** What the server says about one object. */
  sealed interface Answer {
    /** As the manifest has it, gone (which is not to differ), or not to be looked at. */
    record Same() implements Answer {}

    record Differs() implements Answer {}

    /**
     * The server takes the manifest's object only after somebody's edits were taken out of the way;
     * so somebody did edit it.
     */
    record Obstructed() implements Answer {}

    /** The server does not take the manifest's object. */
    record Refused(String why) implements Answer {}

    /** It was changed by others each time. */
    record Busy() implements Answer {}
  }

  DriftCheck(KubernetesClient client, LiveObjects objects) {
    this.client = client;
    this.objects = objects;
  }

  Answer compare(ObjectRef ref, ManifestObject wanted) {
    for (var tries = 1; tries <= TRIES; tries++) {
      var answer = compareOnce(ref, wanted);
      if (answer != null) {
        return answer;
      }
    }
    return new Answer.Busy();
  }

  /** Null if somebody changed the object between the read and the dry run. */
  private @Nullable Answer compareOnce(ObjectRef ref, ManifestObject wanted) {
    var resource = objects.resource(ref);
    if (resource == null) {
      return new Answer.Same();
    }
    JsonNode live;
    try {
      var read = resource.get();
      live = read == null ? null : json(read);
    } catch (KubernetesClientException refused) {
      return new Answer.Refused(Refusals.why(refused, ref));
    }
    if (live == null || Drift.isIgnored(live)) {
      return new Answer.Same();
    }
    JsonNode result;
    try {
      result = dryRun(resource, Drift.FIELD_MANAGER, wanted, ref, live);
    } catch (KubernetesClientException refused) {
      return isOutdated(refused, resource, live) ? null : refused(refused, ref, live, wanted);
    }
    if (!Drift.differs(live, result, false)) {
      return new Answer.Same();
    }
    // Only now, because autoscalers are rare and asking for them costs a request.
    return Drift.differs(live, result, isAutoscaled(ref, wanted))
        ? new Answer.Differs()
        : new Answer.Same();
  }

  private static Answer refused(
      KubernetesClientException refused, ObjectRef ref, JsonNode live, ManifestObject wanted) {
    var why = Refusals.why(refused, ref);
    return Refusals.isInvalid(refused)
            && !Refusals.isImmutable(refused)
            && HandEdits.standInTheWay(live, wanted.content())
        ? new Answer.Obstructed()
        : new Answer.Refused(why);
  }

  /**
   * Gives Helm what others own of a drifted object, as little as lets its next apply do all that
   * the manifest says: items of lists that are merged by key, and if the server still does not take
   * the manifest, all that people wrote but labels and annotations.
   *
   * @param drift what the comparison said
   * @return the same, or that the server refuses the manifest even so
   */
  Answer reclaim(ObjectRef ref, ManifestObject wanted, Answer drift) {
    try {
      return giveAsNeeded(ref, wanted, drift);
    } catch (KubernetesClientException refused) {
      return new Answer.Refused(Refusals.why(refused, ref));
    }
  }

  private Answer giveAsNeeded(ObjectRef ref, ManifestObject wanted, Answer drift) {
    if (!(drift instanceof Answer.Obstructed)) {
      give(ref, wanted, Extent.ITEMS_OF_PEOPLE);
      return drift;
    }
    give(ref, wanted, Extent.ITEMS);
    if (refusedFromHelm(ref, wanted) == null) {
      return drift;
    }
    give(ref, wanted, Extent.ALL_OF_PEOPLE);
    var refused = refusedFromHelm(ref, wanted);
    return refused == null ? drift : refused;
  }

  private void give(ObjectRef ref, ManifestObject wanted, Extent extent) {
    for (var tries = 1; tries <= TRIES; tries++) {
      var resource = objects.resource(ref);
      var read = resource == null ? null : resource.get();
      if (resource == null || read == null) {
        return;
      }
      var live = json(read);
      var owners = HandEdits.givenToHelm(live, wanted.content(), extent);
      if (owners.isEmpty()) {
        return;
      }
      try {
        var _ =
            resource.patch(PatchContext.of(PatchType.JSON), HandEdits.patch(live, owners.get()));
        return;
      } catch (KubernetesClientException refused) {
        if (!isOutdated(refused, resource, live)) {
          throw refused;
        }
      }
    }
  }

  /** Null if the server takes the manifest from Helm. */
  private Answer.@Nullable Refused refusedFromHelm(ObjectRef ref, ManifestObject wanted) {
    var resource = objects.resource(ref);
    var live = resource == null ? null : resource.get();
    if (resource == null || live == null) {
      return null;
    }
    try {
      var _ = dryRun(resource, HandEdits.HELM, wanted, ref, json(live));
      return null;
    } catch (KubernetesClientException refused) {
      return new Answer.Refused(Refusals.why(refused, ref));
    }
  }

  /** Tied to the version that was read: what others change meanwhile is no difference. */
  private JsonNode dryRun(
      Resource<GenericKubernetesResource> resource,
      String manager,
      ManifestObject wanted,
      ObjectRef ref,
      JsonNode live) {
    var context =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(manager)
            .withForce(true)
            .withDryRun(List.of("All"))
            .build();
    var body = wanted.content();
    if (body.path("metadata") instanceof ObjectNode metadata) {
      metadata.set("resourceVersion", live.path("metadata").path("resourceVersion"));
      if (!ref.namespace().isEmpty()) {
        metadata.put("namespace", ref.namespace());
      }
    }
    return json(resource.patch(context, body.toString()));
  }

  /** Whether the server refused because the object is no longer the one that was read. */
  private static boolean isOutdated(
      KubernetesClientException refused,
      Resource<GenericKubernetesResource> resource,
      JsonNode live) {
    if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT && !Refusals.isInvalid(refused)) {
      return false;
    }
    var now = resource.get();
    var read = live.path("metadata").path("resourceVersion").asText();
    return now == null || !read.equals(now.getMetadata().getResourceVersion());
  }

  private boolean isAutoscaled(ObjectRef ref, ManifestObject wanted) {
    try {
      var autoscalers =
          client.autoscaling().v2().horizontalPodAutoscalers().inNamespace(ref.namespace()).list();
      return Autoscaling.targets(autoscalers.getItems(), wanted);
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return false;
      }
      throw refused;
    }
  }

  private JsonNode json(GenericKubernetesResource resource) {
    return client.getKubernetesSerialization().convertValue(resource, JsonNode.class);
  }
}
