// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
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
    return isReleaseSecret(metadata)
        ? Optional.ofNullable(label(metadata, RELEASE))
        : Optional.empty();
  }

  /** The revision a Secret stands for; empty if it is not one of Helm's. */
  public static Optional<Revision> revision(ObjectMeta metadata) {
    var status = label(metadata, STATUS);
    var version = label(metadata, VERSION);
    if (!isReleaseSecret(metadata) || status == null || version == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Revision(
              Integer.parseInt(version),
              ReleaseStatus.of(status),
              metadata.getLabels(),
              String.valueOf(metadata.getUid()),
              createdAt(metadata)));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static @Nullable Instant createdAt(ObjectMeta metadata) {
    var text = metadata.getCreationTimestamp();
    return text == null ? null : Instant.parse(text);
  }

  public static String name(ReleaseName release, int version) {
    return "sh.helm.release.v1." + release.value() + ".v" + version;
  }

  private static boolean isReleaseSecret(ObjectMeta metadata) {
    return "helm".equals(label(metadata, "owner"));
  }

  private static @Nullable String label(ObjectMeta metadata, String name) {
    return metadata.getLabels() == null ? null : metadata.getLabels().get(name);
  }

  /**
   * What we need of a stored revision. The manifest (hooks are not in it) may hold Secrets, so it
   * shows in no {@code toString}.
   */
  public record StoredRelease(int version, String chartName, String chartVersion, String manifest) {
    private static final JsonMapper JSON = new JsonMapper();

    // A Secret of 1 MiB may inflate to 1 GiB; real releases stay far below this.
    static final int MAX_DECOMPRESSED_SIZE = 64 << 20;

    /** Either the release or why its payload cannot be read. */
    public sealed interface Decoded {
      record Intact(StoredRelease release) implements Decoded {}

      record Unreadable(String reason) implements Decoded {}
    }

    /** Decodes the value of {@link ReleaseSecret#PAYLOAD_KEY} as it stands in the Secret's data. */
    public static Decoded decode(String data) {
      try {
        var compressed = Base64.getDecoder().decode(Base64.getDecoder().decode(data));
        var json =
            new GZIPInputStream(new ByteArrayInputStream(compressed))
                .readNBytes(MAX_DECOMPRESSED_SIZE + 1);
        if (json.length > MAX_DECOMPRESSED_SIZE) {
          return new Decoded.Unreadable("larger than " + (MAX_DECOMPRESSED_SIZE >> 20) + " MiB");
        }
        return read(json);
      } catch (IllegalArgumentException e) {
        return new Decoded.Unreadable("not base64");
      } catch (IOException e) {
        // Not its message: Jackson quotes what it stumbles over.
        return new Decoded.Unreadable("not gzip of JSON");
      }
    }

    private static Decoded read(byte[] json) throws IOException {
      var payload = JSON.readValue(json, Payload.class);
      if (payload.manifest == null || payload.chart == null || payload.chart.metadata == null) {
        return new Decoded.Unreadable("no manifest or chart in it");
      }
      var chart = payload.chart.metadata;
      return new Decoded.Intact(
          new StoredRelease(payload.version, chart.name, chart.version, payload.manifest));
    }

    @Override
    public String toString() {
      return "StoredRelease(%d, %s %s)".formatted(version, chartName, chartVersion);
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Payload(int version, @Nullable String manifest, @Nullable Chart chart) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Chart(@Nullable Metadata metadata) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    private record Metadata(String name, String version) {}
  }
}
