// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.api.Labels;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One revision of a release as the labels of its Secret show it.
 *
 * @param uid of the Secret: a release that is installed anew counts its revisions from one again
 * @param createdAt when the Secret was made, by the clock of its cluster
 */
public record Revision(
    int version,
    ReleaseStatus status,
    Map<String, String> labels,
    String uid,
    @Nullable Instant createdAt) {

  public Revision(int version, ReleaseStatus status, Map<String, String> labels, String uid) {
    this(version, status, labels, uid, null);
  }

  public Revision {
    labels = Map.copyOf(labels);
  }

  /**
   * Whether an operator of ours made this very revision. Whoever runs Helm by hand gets a copy of
   * all our labels, with the number of an earlier revision among them.
   */
  public boolean isOurs() {
    return Integer.toString(version).equals(labels.get(Labels.REVISION));
  }

  /**
   * Whether somebody else made it after us. Operators before this one did not number what they
   * made, so of a revision without number their report decides.
   *
   * @param reported the revision that the owner's status names; zero if it names none
   */
  public boolean isForeign(int reported) {
    if (isOurs()) {
      return false;
    }
    return labels.containsKey(Labels.REVISION) || (reported > 0 && reported != version);
  }

  /** First characters of the fingerprint; missing on releases that no operator of ours made. */
  public @Nullable String fingerprintLabel() {
    return labels.get(Labels.FINGERPRINT);
  }

  /** Which revision of its class it holds; missing where flags say what is rolled out. */
  public @Nullable String classRevision() {
    return labels.get(Labels.CLASS_REVISION);
  }

  /** The process that made it; missing if somebody else's Helm did. */
  public @Nullable String instance() {
    return isOurs() ? labels.get(Labels.INSTANCE) : null;
  }

  public @Nullable String ownerUid() {
    return labels.get(Labels.OWNER_UID);
  }

  /**
   * Our labels on a Helm release: whose it is, what it holds, and which process made it.
   *
   * @param revision the one that is about to be made; only on that one the others are true
   * @param classRevision null if no class says what is rolled out
   */
  public record ReleaseLabels(
      String ownerUid,
      Fingerprint fingerprint,
      String instance,
      int revision,
      @Nullable String classRevision) {
    public Map<String, String> asMap() {
      var labels =
          new TreeMap<>(
              Map.of(
                  Labels.OWNER_UID,
                  ownerUid,
                  Labels.FINGERPRINT,
                  fingerprint.label(),
                  Labels.INSTANCE,
                  instance,
                  Labels.REVISION,
                  Integer.toString(revision)));
      if (classRevision != null) {
        labels.put(Labels.CLASS_REVISION, classRevision);
      }
      return labels;
    }
  }

  /** The states Helm writes to the label {@code status} of a revision. */
  public enum ReleaseStatus {
    DEPLOYED("deployed"),
    SUPERSEDED("superseded"),
    FAILED("failed"),
    PENDING_INSTALL("pending-install"),
    PENDING_UPGRADE("pending-upgrade"),
    PENDING_ROLLBACK("pending-rollback"),
    UNINSTALLING("uninstalling"),
    UNINSTALLED("uninstalled"),
    UNKNOWN("unknown");

    private final String value;

    ReleaseStatus(String word) {
      this.value = word;
    }

    public static ReleaseStatus of(String word) {
      return Arrays.stream(values())
          .filter(status -> status.value.equals(word))
          .findFirst()
          .orElse(UNKNOWN);
    }

    public boolean isPending() {
      return this == PENDING_INSTALL || this == PENDING_UPGRADE || this == PENDING_ROLLBACK;
    }

    @Override
    public String toString() {
      return value;
    }
  }
}
