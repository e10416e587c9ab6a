package io.krypton.operator.manifest;

import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import java.util.Collection;

/** Which objects have their replicas set by a HorizontalPodAutoscaler. */
public final class Autoscaling {
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
