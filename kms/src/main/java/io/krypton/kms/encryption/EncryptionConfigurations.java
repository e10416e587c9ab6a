package io.krypton.kms.encryption;

import io.krypton.kms.encryption.ReadResult.Invalid;
import io.krypton.kms.encryption.ReadResult.Loaded;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the file that an API server gets by {@code --encryption-provider-config}, with the API
 * server's decision about it and in its words.
 *
 * <p>Bytes become a {@link Document}, whose {@link TypeMeta} must fit; {@link ConfigurationDecoder}
 * gives it meaning, {@link Validation} looks at each entry, {@link CrossEntryRules} at all of them,
 * and {@link ProviderRoles} tells what is left for the KMS providers to do.
 */
public final class EncryptionConfigurations {
  private static final String PARSING = "error while parsing file: ";
  private static final String LOADING = PARSING + "error while loading file: ";
  private static final String BUILDING = "error while building transformers: ";
  private static final String KMS_V1_HINT =
      "set --kms-v1=allow if the API server runs with --feature-gates=KMSv1=true";

  private EncryptionConfigurations() {}

  /** Reads the file; a missing or unreadable one is invalid. */
  public static ReadResult read(Path path, ReadOptions options) {
    try {
      return read(path.toString(), ConfigurationFile.load(path), options);
    } catch (Rejected e) {
      return unreadable(e);
    }
  }

  static Invalid unreadable(Rejected why) {
    return new Invalid(LOADING + why.text(), "", "");
  }

  /** Reads content that is already there; the path only appears in texts. */
  public static ReadResult read(String path, byte[] content, ReadOptions options) {
    var hash = ConfigurationFile.hash(content);
    if (content.length == 0) {
      return new Invalid(LOADING + named(path) + " is empty", "", hash);
    }
    if (content.length > ConfigurationFile.MAX_BYTES) {
      var limit = " is larger than %d bytes".formatted(ConfigurationFile.MAX_BYTES);
      return new Invalid(LOADING + named(path) + limit, "", hash);
    }
    try {
      return usable(Document.parse(content), options, hash);
    } catch (Rejected e) {
      return new Invalid(PARSING + "error decoding " + named(path) + ": " + e.text(), "", hash);
    }
  }

  private static String named(String path) {
    return "encryption provider configuration file " + GoText.quote(path);
  }

  private static ReadResult usable(Document document, ReadOptions options, String hash)
      throws Rejected {
    var type = TypeMeta.of(document.value());
    if (type.isSibling()) {
      return new Invalid(PARSING + type.unexpectedType(), "", hash);
    }
    if (!type.isEncryptionConfiguration()) {
      throw type.notRegistered();
    }
    var decoded = ConfigurationDecoder.decode(document);
    var wrong = Validation.check(decoded, options.automaticReload());
    if (wrong.isPresent()) {
      return new Invalid(PARSING + wrong.get(), "", hash);
    }
    var unusable = CrossEntryRules.check(decoded, options.kmsV1());
    if (unusable.isPresent()) {
      var hint = unusable.get().equals(CrossEntryRules.KMS_V1_DENIED) ? KMS_V1_HINT : "";
      return new Invalid(BUILDING + unusable.get(), hint, hash);
    }
    return new Loaded(ProviderRoles.assign(decoded, options.kmsV1()), warnings(document), hash);
  }

  private static List<String> warnings(Document document) {
    var warnings = new ArrayList<String>();
    if (document.moreFollows()) {
      warnings.add("the file holds more than one YAML document, only the first one is read");
    }
    return warnings;
  }
}
