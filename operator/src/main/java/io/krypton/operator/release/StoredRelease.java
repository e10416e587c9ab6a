package io.krypton.operator.release;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * What we need of a stored revision. The manifest (hooks are not in it) may hold Secrets, so it
 * shows in no {@code toString}.
 */
public record StoredRelease(int version, String chartName, String chartVersion, String manifest) {
  private static final JsonMapper JSON = new JsonMapper();

  // A Secret of 1 MiB may inflate to 1 GiB; real releases stay far below this.
  static final int LARGEST_INFLATED = 64 << 20;

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
              .readNBytes(LARGEST_INFLATED + 1);
      if (json.length > LARGEST_INFLATED) {
        return new Decoded.Unreadable("larger than " + (LARGEST_INFLATED >> 20) + " MiB");
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
