package io.krypton.operator.release;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where Helm keeps revisions: one Secret each, readable by its metadata alone. */
public final class ReleaseSecret {
  public static final String TYPE = "helm.sh/release.v1";

  /** Selects them; there is no label for the type. */
  public static final Map<String, String> SELECTOR = Map.of("owner", "helm");

  /** The key of the payload that {@link StoredRelease} reads. */
  public static final String PAYLOAD_KEY = "release";

  private static final String RELEASE = "name";
  private static final String STATUS = "status";
  private static final String VERSION = "version";

  private ReleaseSecret() {}

  /** The release a Secret belongs to; empty if it is not one of Helm's. */
  public static Optional<String> release(ObjectMeta metadata) {
    return isHelms(metadata) ? Optional.ofNullable(label(metadata, RELEASE)) : Optional.empty();
  }

  /** The revision a Secret stands for; empty if it is not one of Helm's. */
  public static Optional<Revision> revision(ObjectMeta metadata) {
    var status = label(metadata, STATUS);
    var version = label(metadata, VERSION);
    if (!isHelms(metadata) || status == null || version == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Revision(
              Integer.parseInt(version),
              ReleaseStatus.of(status),
              metadata.getLabels(),
              String.valueOf(metadata.getUid())));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public static String name(ReleaseName release, int version) {
    return "sh.helm.release.v1." + release.value() + ".v" + version;
  }

  private static boolean isHelms(ObjectMeta metadata) {
    return "helm".equals(label(metadata, "owner"));
  }

  private static @Nullable String label(ObjectMeta metadata, String name) {
    return metadata.getLabels() == null ? null : metadata.getLabels().get(name);
  }
}
