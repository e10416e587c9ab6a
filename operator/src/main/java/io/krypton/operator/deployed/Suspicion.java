package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.operator.manifest.HandEdits;
import java.util.Comparator;

/**
 * Whether somebody other than Helm wrote an object since Helm did. Asking the server what the
 * manifest would change costs two requests per object; who wrote last is in the metadata that we
 * watch anyway.
 */
final class Suspicion {

  private Suspicion() {}

  static boolean about(ObjectMeta metadata) {
    var entries = metadata.getManagedFields();
    if (entries == null || entries.isEmpty()) {
      return true; // Nothing to go by.
    }
    var helms =
        entries.stream()
            .filter(entry -> HandEdits.HELM.equals(entry.getManager()))
            .map(Suspicion::time)
            .max(Comparator.naturalOrder());
    return helms.isEmpty()
        || entries.stream().anyMatch(Suspicion::isDue)
        || entries.stream()
            .filter(entry -> !HandEdits.HELM.equals(entry.getManager()) && !isStatus(entry))
            // Times have whole seconds: the same second may be before or after. The scale
            // subresource leaves no time at all, so that it may have been any time.
            .anyMatch(entry -> entry.getTime() == null || time(entry).compareTo(helms.get()) >= 0);
  }

  /** Helm was given fields and has not applied since. */
  private static boolean isDue(ManagedFieldsEntry entry) {
    return HandEdits.HELM.equals(entry.getManager()) && HandEdits.DUE.equals(entry.getTime());
  }

  private static boolean isStatus(ManagedFieldsEntry entry) {
    return "status".equals(entry.getSubresource());
  }

  /** RFC 3339 in UTC with whole seconds sorts as text. */
  private static String time(ManagedFieldsEntry entry) {
    return entry.getTime() == null ? "" : entry.getTime();
  }
}
