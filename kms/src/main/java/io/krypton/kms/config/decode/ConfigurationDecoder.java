// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.decode;

import io.krypton.base.text.GoDuration;
import io.krypton.kms.config.decode.DecodedConfiguration.Element;
import io.krypton.kms.config.decode.DecodedConfiguration.Identity;
import io.krypton.kms.config.decode.DecodedConfiguration.Keyed;
import io.krypton.kms.config.decode.DecodedConfiguration.Kms;
import io.krypton.kms.config.decode.DecodedConfiguration.MeasuredKey;
import io.krypton.kms.config.decode.DecodedConfiguration.ResourceEntry;
import io.krypton.kms.config.decode.DecodedConfiguration.Setting;
import io.krypton.kms.config.yaml.Base64Length;
import io.krypton.kms.config.yaml.Document;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import io.krypton.kms.config.yaml.KeyRedactor;
import io.krypton.kms.config.yaml.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decodes the fields of an EncryptionConfiguration strictly and applies its defaults. */
public final class ConfigurationDecoder {
  private static final List<Integer> AES_LENGTHS = List.of(16, 24, 32);
  private static final List<Integer> SECRETBOX_LENGTHS = List.of(32);
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(3);
  private static final int DEFAULT_CACHE_SIZE = 1000;

  private final StructReader reader = new StructReader();

  private ConfigurationDecoder() {}

  public static DecodedConfiguration decode(Document document)
      throws InvalidConfigurationException {
    var decoder = new ConfigurationDecoder();
    var entries = new ArrayList<ResourceEntry>();
    decoder.reader.struct(
        "EncryptionConfiguration",
        document.value(),
        Map.of(
            "kind", value -> {},
            "apiVersion", value -> {},
            "resources", value -> decoder.entries(value, entries)));
    decoder.reader.finish(document.duplicates());
    return new DecodedConfiguration(entries);
  }

  private void entries(Value value, List<ResourceEntry> entries)
      throws InvalidConfigurationException {
    reader.list("v1.ResourceConfiguration", value, element -> entries.add(entry(element)));
  }

  private ResourceEntry entry(Value value) throws InvalidConfigurationException {
    var resources = new ArrayList<String>();
    var providers = new ArrayList<Element>();
    reader.struct(
        "ResourceConfiguration",
        value,
        Map.of(
            "resources", list -> reader.list("string", list, name -> resource(name, resources)),
            "providers",
                list ->
                    reader.list(
                        "v1.ProviderConfiguration", list, item -> providers.add(element(item)))));
    return new ResourceEntry(resources, providers);
  }

  private void resource(Value value, List<String> resources) {
    resources.add("");
    reader.text(value, name -> resources.set(resources.size() - 1, name));
  }

  private Element element(Value value) throws InvalidConfigurationException {
    var found = new Found();
    reader.struct(
        "ProviderConfiguration",
        value,
        Map.of(
            "kms", kms -> found.kms = kms(kms),
            "aesgcm", keys -> found.aesgcm = keyed("aesgcm", "AESConfiguration", AES_LENGTHS, keys),
            "aescbc", keys -> found.aescbc = keyed("aescbc", "AESConfiguration", AES_LENGTHS, keys),
            "secretbox",
                keys ->
                    found.secretbox =
                        keyed("secretbox", "SecretboxConfiguration", SECRETBOX_LENGTHS, keys),
            "identity", identity -> found.identity = identity(identity)));
    return found.element();
  }

  /** In the order of precedence that validation gives them. */
  private static final class Found {
    private @Nullable Setting kms;
    private @Nullable Setting aesgcm;
    private @Nullable Setting aescbc;
    private @Nullable Setting secretbox;
    private @Nullable Setting identity;

    private Element element() {
      return new Element(
          Stream.of(kms, aesgcm, aescbc, secretbox, identity).filter(Objects::nonNull).toList());
    }
  }

  private @Nullable Setting identity(Value value) throws InvalidConfigurationException {
    reader.struct("IdentityConfiguration", value, Map.of());
    return value instanceof Value.Null ? null : new Identity();
  }

  private @Nullable Setting keyed(
      String field, String struct, List<Integer> keyLengths, Value value)
      throws InvalidConfigurationException {
    var keys = new ArrayList<MeasuredKey>();
    reader.struct(
        struct,
        value,
        Map.of("keys", list -> reader.list("v1.Key", list, key -> keys.add(key(key)))));
    return value instanceof Value.Null ? null : new Keyed(field, keyLengths, keys);
  }

  private MeasuredKey key(Value value) throws InvalidConfigurationException {
    var given = new GivenKey();
    reader.struct(
        "Key",
        value,
        Map.of(
            "name", text -> reader.text(text, name -> given.named = !name.isEmpty()),
            "secret", text -> reader.text(text, given::measure)));
    return new MeasuredKey(given.named, given.secretGiven, given.length);
  }

  /** What is kept of a key: the secret is measured and forgotten. */
  private static final class GivenKey {
    private boolean named;
    private boolean secretGiven;
    private OptionalInt length = OptionalInt.empty();

    private void measure(String secret) {
      secretGiven = !secret.isEmpty();
      length = Base64Length.of(secret);
    }
  }

  private @Nullable Setting kms(Value value) throws InvalidConfigurationException {
    var given = new GivenKms();
    reader.struct(
        "KMSConfiguration",
        value,
        Map.of(
            "apiVersion", text -> reader.text(text, version -> given.apiVersion = version),
            "name", text -> reader.text(text, name -> given.name = name),
            "cachesize", number -> reader.number(number, size -> given.cacheSize = size),
            "endpoint", text -> reader.text(text, endpoint -> given.endpoint = endpoint),
            "timeout", text -> given.timeout = timeout(text)));
    return value instanceof Value.Null ? null : given.withDefaults();
  }

  /** The fields of a KMS provider as far as the file gives them. */
  private static final class GivenKms {
    private String apiVersion = "";
    private String name = "";
    private @Nullable Integer cacheSize;
    private String endpoint = "";
    private @Nullable Duration timeout;

    private Kms withDefaults() {
      var version = apiVersion.isEmpty() ? "v1" : apiVersion;
      if (cacheSize == null && version.equals("v1")) {
        cacheSize = DEFAULT_CACHE_SIZE;
      }
      return new Kms(
          version, name, cacheSize, endpoint, Objects.requireNonNullElse(timeout, DEFAULT_TIMEOUT));
    }
  }

  /** A bad duration ends the decoding at once, other wrong values only after all were seen. */
  private @Nullable Duration timeout(Value value) throws InvalidConfigurationException {
    return switch (value) {
      case Value.Null absent -> null;
      case Value.Text text ->
          switch (GoDuration.read(text.content())) {
            case GoDuration.Parsed.Valid(var duration) -> duration;
            case GoDuration.Parsed.Invalid invalid ->
                throw new InvalidConfigurationException(invalid.message(KeyRedactor::redact));
          };
      default ->
          throw new InvalidConfigurationException(reader.typeError(value.typeName(), "string"));
    };
  }
}
