package io.krypton.operator.deployed;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.operator.manifest.Autoscaling;
import io.krypton.operator.manifest.Drift;
import io.krypton.operator.manifest.ManifestObject;
import java.net.HttpURLConnection;
import java.util.List;

/** Asks the server what the manifest would change in a live object: nothing means no drift. */
final class DriftCheck {
  private static final PatchContext DRY_RUN =
      new PatchContext.Builder()
          .withPatchType(PatchType.SERVER_SIDE_APPLY)
          .withFieldManager(Drift.FIELD_MANAGER)
          .withForce(true)
          .withDryRun(List.of("All"))
          .build();

  private final KubernetesClient client;
  private final LiveObjects objects;

  DriftCheck(KubernetesClient client, LiveObjects objects) {
    this.client = client;
    this.objects = objects;
  }

  /**
   * Whether the live object differs from what the manifest says; an object that is gone does not:
   * it is missing.
   */
  boolean differs(ObjectRef ref, ManifestObject wanted) {
    var resource = objects.resource(ref);
    var live = resource == null ? null : resource.get();
    if (resource == null || live == null || Drift.isIgnored(json(live))) {
      return false;
    }
    var dryRun = resource.patch(DRY_RUN, addressed(wanted, ref));
    if (!Drift.differs(json(live), json(dryRun), false)) {
      return false;
    }
    // Only now, because autoscalers are rare and asking for them costs a request.
    return Drift.differs(json(live), json(dryRun), isAutoscaled(ref, wanted));
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

  private GenericKubernetesResource addressed(ManifestObject wanted, ObjectRef ref) {
    var object =
        client
            .getKubernetesSerialization()
            .convertValue(wanted.content(), GenericKubernetesResource.class);
    if (!ref.namespace().isEmpty()) {
      object.getMetadata().setNamespace(ref.namespace());
    }
    return object;
  }

  private JsonNode json(GenericKubernetesResource resource) {
    return client.getKubernetesSerialization().convertValue(resource, JsonNode.class);
  }
}
