package io.krypton.operator.tls.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.tls.profile.ProfileReading.Unreadable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what {@link TlsProfile#canonicalJson} writes, and what other writers may write for it. */
public final class ProfileFile {
  /** More than any profile needs. */
  public static final int MAX_BYTES = 64 * 1024;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ProfileFile() {}

  public static ProfileReading read(byte[] content) {
    if (content.length > MAX_BYTES) {
      return new Unreadable("it is larger than 64 KiB");
    }
    try {
      return read(JSON.readTree(content));
    } catch (JsonProcessingException malformed) {
      return new Unreadable(
          "it is not JSON (line %d, column %d)"
              .formatted(
                  malformed.getLocation().getLineNr(), malformed.getLocation().getColumnNr()));
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory cannot be read", impossible);
    }
  }

  /** The same for a tree, as an object of the API server holds it. */
  static ProfileReading read(JsonNode tree) {
    if (!tree.isObject()) {
      return new Unreadable("it is not a JSON object");
    }
    var ciphers = names(tree.path("ciphers"));
    // An early draft called the groups curves, and its writers are still about.
    var groups = names(tree.has("groups") ? tree.path("groups") : tree.path("curves"));
    var minimum = tree.path("minTLSVersion");
    if (ciphers.isEmpty() || groups.isEmpty()) {
      return new Unreadable("ciphers and groups must be lists of names");
    }
    if (!minimum.isMissingNode() && !minimum.isTextual()) {
      return new Unreadable("minTLSVersion must be a text");
    }
    return ProfileReading.of(ciphers.get(), minimum.asText(""), groups.get());
  }

  /** Empty if there is something else than a list of texts. */
  private static Optional<List<String>> names(JsonNode list) {
    if (list.isMissingNode()) {
      return Optional.of(List.of());
    }
    if (!list.isArray()) {
      return Optional.empty();
    }
    var names = new ArrayList<String>();
    for (var item : list) {
      if (!item.isTextual()) {
        return Optional.empty();
      }
      names.add(item.textValue());
    }
    return Optional.of(names);
  }
}
