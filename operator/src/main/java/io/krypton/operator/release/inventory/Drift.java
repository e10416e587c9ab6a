// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.util.Collection;
import java.util.List;

/**
 * Compares a live object with the result of a dry run that applied the manifest to it.
 *
 * <p>What others added is in both, so it is no drift; what they changed or took away differs.
 */
public final class Drift {
  public static final String FIELD_MANAGER = "krypton-drift";
  private static final String OPT_OUT = "mesh.openkcm.io/drift-detection";
  private static final List<String> SERVER_FIELDS =
      List.of("managedFields", "resourceVersion", "generation");

  private Drift() {}

  /** Whether the owner of a live object wants it left alone. */
  public static boolean isIgnored(JsonNode live) {
    return live.path("metadata").path("annotations").path(OPT_OUT).asText().equals("disabled");
  }

  /** {@code autoscaled}: an autoscaler sets the replicas, so they are not ours to compare. */
  public static boolean differs(JsonNode live, JsonNode dryRun, boolean autoscaled) {
    return !comparable(live, autoscaled).equals(comparable(dryRun, autoscaled));
  }

  private static JsonNode comparable(JsonNode object, boolean autoscaled) {
    var copy = object.deepCopy();
    if (copy instanceof ObjectNode fields) {
      fields.remove("status");
    }
    if (copy.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(SERVER_FIELDS);
    }
    if (autoscaled && copy.path("spec") instanceof ObjectNode spec) {
      spec.remove("replicas");
    }
    return copy;
  }

  /** Which objects have their replicas set by a HorizontalPodAutoscaler. */
  public static final class Autoscaling {
    private Autoscaling() {}

    /** {@code autoscalers}: those of the object's namespace. */
    public static boolean targets(
        Collection<HorizontalPodAutoscaler> autoscalers, ManifestObject object) {
      return autoscalers.stream()
          .map(autoscaler -> autoscaler.getSpec().getScaleTargetRef())
          .anyMatch(
              target ->
                  object.kind().equals(target.getKind())
                      && object.name().equals(target.getName())
                      && group(object.apiVersion()).equals(group(target.getApiVersion())));
    }

    private static String group(String apiVersion) {
      var slash = apiVersion.indexOf('/');
      return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
  }
}
