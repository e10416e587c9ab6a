// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.operator.release.inventory.Drift.Autoscaling;
import io.krypton.operator.release.inventory.ManagedFields.TransferScope;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.net.HttpURLConnection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks the server what the manifest would change in a live object: nothing means no drift. */
final class DriftCheck {
  /** An object that changes between every read and its dry run tells of itself soon enough. */
  private static final int MAX_ATTEMPTS = 5;

  private final KubernetesClient client;
  private final LiveObjectReader objects;

  /** What the server says about one object. */
  sealed interface DriftResult {
    /** As the manifest has it, gone (which is not to differ), or not to be compared. */
    record InSync() implements DriftResult {}

    record Drifted() implements DriftResult {}

    /**
     * The server takes the manifest's object only after somebody's edits were taken out of the way;
     * so somebody did edit it.
     */
    record ApplyBlocked() implements DriftResult {}

    /** The server does not take the manifest's object. */
    record Rejected(String message) implements DriftResult {}

    /** It was changed by others each time. */
    record Conflict() implements DriftResult {}
  }

  DriftCheck(KubernetesClient client, LiveObjectReader objects) {
    this.client = client;
    this.objects = objects;
  }

  DriftResult compare(ObjectRef ref, ManifestObject wanted) {
    for (var tries = 1; tries <= MAX_ATTEMPTS; tries++) {
      var driftResult = compareOnce(ref, wanted);
      if (driftResult != null) {
        return driftResult;
      }
    }
    return new DriftResult.Conflict();
  }

  /** Null if somebody changed the object between the read and the dry run. */
  private @Nullable DriftResult compareOnce(ObjectRef ref, ManifestObject wanted) {
    var resource = objects.resource(ref);
    if (resource == null) {
      return new DriftResult.InSync();
    }
    JsonNode live;
    try {
      var read = resource.get();
      live = read == null ? null : json(read);
    } catch (KubernetesClientException refused) {
      return new DriftResult.Rejected(ApiRejection.message(refused, ref));
    }
    if (live == null || Drift.isIgnored(live)) {
      return new DriftResult.InSync();
    }
    JsonNode result;
    try {
      result = dryRun(resource, Drift.FIELD_MANAGER, wanted, ref, live);
    } catch (KubernetesClientException refused) {
      return isOutdated(refused, resource, live) ? null : toResult(refused, ref, live, wanted);
    }
    if (!Drift.differs(live, result, false)) {
      return new DriftResult.InSync();
    }
    // Only now, because autoscalers are rare and asking for them costs a request.
    return Drift.differs(live, result, isAutoscaled(ref, wanted))
        ? new DriftResult.Drifted()
        : new DriftResult.InSync();
  }

  private static DriftResult toResult(
      KubernetesClientException refused, ObjectRef ref, JsonNode live, ManifestObject wanted) {
    var why = ApiRejection.message(refused, ref);
    return ApiRejection.isInvalid(refused)
            && !ApiRejection.isImmutable(refused)
            && ManagedFields.blockApply(live, wanted.content())
        ? new DriftResult.ApplyBlocked()
        : new DriftResult.Rejected(why);
  }

  /**
   * Gives Helm what others own of a drifted object, as little as lets its next apply do all that
   * the manifest says: items of lists that are merged by key, and if the server still does not take
   * the manifest, all that people wrote but labels and annotations.
   *
   * @param drift what the comparison said
   * @return the same, or that the server refuses the manifest even so
   */
  DriftResult reclaim(ObjectRef ref, ManifestObject wanted, DriftResult drift) {
    try {
      return transferAsNeeded(ref, wanted, drift);
    } catch (KubernetesClientException refused) {
      return new DriftResult.Rejected(ApiRejection.message(refused, ref));
    }
  }

  private DriftResult transferAsNeeded(ObjectRef ref, ManifestObject wanted, DriftResult drift) {
    if (!(drift instanceof DriftResult.ApplyBlocked)) {
      transfer(ref, wanted, TransferScope.USER_LIST_ITEMS);
      return drift;
    }
    transfer(ref, wanted, TransferScope.LIST_ITEMS);
    if (dryRunAsHelm(ref, wanted) == null) {
      return drift;
    }
    transfer(ref, wanted, TransferScope.ALL_USER_FIELDS);
    var rejected = dryRunAsHelm(ref, wanted);
    return rejected == null ? drift : rejected;
  }

  private void transfer(ObjectRef ref, ManifestObject wanted, TransferScope transferScope) {
    for (var tries = 1; tries <= MAX_ATTEMPTS; tries++) {
      var resource = objects.resource(ref);
      var read = resource == null ? null : resource.get();
      if (resource == null || read == null) {
        return;
      }
      var live = json(read);
      var owners = ManagedFields.transferToHelm(live, wanted.content(), transferScope);
      if (owners.isEmpty()) {
        return;
      }
      try {
        var _ =
            resource.patch(
                PatchContext.of(PatchType.JSON), ManagedFields.patch(live, owners.get()));
        return;
      } catch (KubernetesClientException refused) {
        if (!isOutdated(refused, resource, live)) {
          throw refused;
        }
      }
    }
  }

  /** Null if the server takes the manifest from Helm. */
  private DriftResult.@Nullable Rejected dryRunAsHelm(ObjectRef ref, ManifestObject wanted) {
    var resource = objects.resource(ref);
    var live = resource == null ? null : resource.get();
    if (resource == null || live == null) {
      return null;
    }
    try {
      var _ = dryRun(resource, ManagedFields.HELM_MANAGER, wanted, ref, json(live));
      return null;
    } catch (KubernetesClientException refused) {
      return new DriftResult.Rejected(ApiRejection.message(refused, ref));
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
    if (refused.getCode() != HttpURLConnection.HTTP_CONFLICT && !ApiRejection.isInvalid(refused)) {
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
