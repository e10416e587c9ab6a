package io.krypton.operator.rollout;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes our marks off a namespace that stays when its owner goes. */
public final class Disowning {
  private static final Logger log = LoggerFactory.getLogger(Disowning.class);

  private Disowning() {}

  /**
   * Best effort: a namespace that keeps our labels looks owned, and is only used, never deleted.
   */
  public static void of(Owner owner, String workspace, TargetCluster target) {
    var namespaces = target.client().namespaces();
    try {
      var namespace = namespaces.withName(workspace).get();
      var labels = namespace == null ? null : namespace.getMetadata().getLabels();
      if (labels != null && owner.uid().equals(labels.get(Labels.OWNER_UID))) {
        namespaces
            .withName(workspace)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                """
                {"metadata":{"labels":{"%s":null,"%s":null},"annotations":{"%s":null}}}
                """
                    .formatted(Labels.OWNER_UID, Labels.OWNER_KIND, Annotations.OWNER));
      }
    } catch (KubernetesClientException refused) {
      log.atWarn()
          .addKeyValue("workspace", workspace)
          .addKeyValue("code", refused.getCode())
          .log("labels of an orphaned namespace could not be removed");
    }
  }
}
