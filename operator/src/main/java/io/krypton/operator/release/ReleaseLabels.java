package io.krypton.operator.release;

import io.krypton.api.Labels;
import java.util.Map;
import java.util.TreeMap;

/**
 * Our labels on a Helm release: whose it is, what it holds, and which process made it.
 *
 * @param revision the one that is about to be made; only on that one the others are true
 */
public record ReleaseLabels(
    String ownerUid, Fingerprint fingerprint, String instance, int revision) {
  public Map<String, String> asMap() {
    return new TreeMap<>(
        Map.of(
            Labels.OWNER_UID,
            ownerUid,
            Labels.FINGERPRINT,
            fingerprint.label(),
            Labels.INSTANCE,
            instance,
            Labels.REVISION,
            Integer.toString(revision)));
  }
}
