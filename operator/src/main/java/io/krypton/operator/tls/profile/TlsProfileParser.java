// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.tls.profile.TlsProfile.DisplayText;
import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult.Invalid;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what {@link TlsProfile#canonicalJson} writes, and what other writers may write for it. */
public final class TlsProfileParser {
  /** More than any profile needs. */
  public static final int MAX_BYTES = 64 * 1024;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private TlsProfileParser() {}

  public static ParseResult parse(byte[] content) {
    if (content.length > MAX_BYTES) {
      return new Invalid("it is larger than 64 KiB");
    }
    try {
      return parse(JSON.readTree(content));
    } catch (JsonProcessingException malformed) {
      return new Invalid(
          "it is not JSON (line %d, column %d)"
              .formatted(
                  malformed.getLocation().getLineNr(), malformed.getLocation().getColumnNr()));
    } catch (IOException impossible) {
      throw new IllegalStateException("bytes in memory cannot be read", impossible);
    }
  }

  /** The same for a tree, as an object of the API server holds it. */
  static ParseResult parse(JsonNode tree) {
    if (!tree.isObject()) {
      return new Invalid("it is not a JSON object");
    }
    var ciphers = names(tree.path("ciphers"));
    // An early draft called the groups curves, and its writers are still about.
    var groups = names(tree.has("groups") ? tree.path("groups") : tree.path("curves"));
    var minimum = tree.path("minTLSVersion");
    if (ciphers.isEmpty() || groups.isEmpty()) {
      return new Invalid("ciphers and groups must be lists of names");
    }
    if (!minimum.isMissingNode() && !minimum.isTextual()) {
      return new Invalid("minTLSVersion must be a text");
    }
    return ParseResult.of(ciphers.get(), minimum.asText(""), groups.get());
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

  /** What became of an attempt to read a profile. */
  public sealed interface ParseResult {
    /**
     * A profile.
     *
     * @param malformed names that were left out, because they cannot be names
     */
    record Parsed(TlsProfile profile, List<String> malformed) implements ParseResult {
      public Parsed {
        malformed = List.copyOf(malformed);
      }
    }

    /** No profile; the reason is for people. */
    record Invalid(String reason) implements ParseResult {}

    /** A profile from its parts; an empty minimum means TLS 1.2. */
    static ParseResult of(List<String> ciphers, String minimum, List<String> groups) {
      var version = minimum.isEmpty() ? "VersionTLS12" : minimum;
      return TlsVersion.named(version)
          .<ParseResult>map(
              known ->
                  new Parsed(
                      new TlsProfile(wellFormed(ciphers), known, wellFormed(groups)),
                      Stream.concat(ciphers.stream(), groups.stream())
                          .filter(name -> !TlsProfile.isName(name))
                          .distinct()
                          .toList()))
          .orElseGet(
              () ->
                  new Invalid(
                      "minTLSVersion %s is unknown, use VersionTLS10, VersionTLS11, VersionTLS12 or VersionTLS13"
                          .formatted(DisplayText.abbreviate(version))));
    }

    private static List<String> wellFormed(List<String> names) {
      return names.stream().filter(TlsProfile::isName).toList();
    }
  }
}
