// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import io.krypton.base.crypto.Sha256;
import io.krypton.kms.config.ReadResult.Invalid;
import io.krypton.kms.config.ReadResult.Loaded;
import io.krypton.kms.config.decode.ConfigurationDecoder;
import io.krypton.kms.config.decode.TypeMeta;
import io.krypton.kms.config.validate.ConfigurationValidator;
import io.krypton.kms.config.yaml.Document;
import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file that an API server gets by {@code --encryption-provider-config}, with the API
 * server's decision about it and with its messages.
 *
 * <p>Bytes become a {@link Document}, whose {@link TypeMeta} must fit; {@link ConfigurationDecoder}
 * gives it meaning, {@link ConfigurationValidator} checks each entry, {@link CrossEntryRules} at
 * all of them, and {@link ProviderRoleAssigner} assigns roles to the KMS providers.
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
    } catch (InvalidConfigurationException e) {
      return unreadable(e);
    }
  }

  static Invalid unreadable(InvalidConfigurationException why) {
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
    } catch (InvalidConfigurationException e) {
      return new Invalid(PARSING + "error decoding " + named(path) + ": " + e.text(), "", hash);
    }
  }

  private static String named(String path) {
    return "encryption provider configuration file " + GoText.quote(path);
  }

  private static ReadResult usable(Document document, ReadOptions options, String hash)
      throws InvalidConfigurationException {
    var type = TypeMeta.of(document.value());
    if (type.isOtherConfigKind()) {
      return new Invalid(PARSING + type.unexpectedType(), "", hash);
    }
    if (!type.isEncryptionConfiguration()) {
      throw type.notRegistered();
    }
    var decoded = ConfigurationDecoder.decode(document);
    var wrong = ConfigurationValidator.check(decoded, options.automaticReload());
    if (wrong.isPresent()) {
      return new Invalid(PARSING + wrong.get(), "", hash);
    }
    var unusable = CrossEntryRules.check(decoded, options.kmsV1());
    if (unusable.isPresent()) {
      var hint = unusable.get().equals(CrossEntryRules.KMS_V1_DENIED) ? KMS_V1_HINT : "";
      return new Invalid(BUILDING + unusable.get(), hint, hash);
    }
    return new Loaded(
        ProviderRoleAssigner.assign(decoded, options.kmsV1()), warnings(document), hash);
  }

  private static List<String> warnings(Document document) {
    var warnings = new ArrayList<String>();
    if (document.moreFollows()) {
      warnings.add("the file holds more than one YAML document, only the first one is read");
    }
    return warnings;
  }

  /** Gets the bytes of the file. They hold keys: whoever gets them forgets them after use. */
  static final class ConfigurationFile {
    /** More than any API object can hold, so that nobody means to have a larger one. */
    static final int MAX_BYTES = 1 << 20;

    private ConfigurationFile() {}

    /** At most one byte more than allowed; the reasons of failures are kube-apiserver's. */
    static byte[] load(Path path) throws InvalidConfigurationException {
      try (var in = Files.newInputStream(path)) {
        return in.readNBytes(MAX_BYTES + 1);
      } catch (NoSuchFileException e) {
        throw unreadable(path, "open", "no such file or directory");
      } catch (AccessDeniedException e) {
        throw unreadable(path, "open", "permission denied");
      } catch (FileSystemException e) {
        throw unreadable(path, "open", e.getReason());
      } catch (IOException e) {
        throw unreadable(path, "read", e.getMessage());
      }
    }

    private static InvalidConfigurationException unreadable(
        Path path, String operation, @Nullable String why) {
      var reason = Objects.requireNonNullElse(why, "input/output error").toLowerCase(Locale.ROOT);
      return new InvalidConfigurationException(
          "error reading encryption provider configuration file %s: %s %s: %s"
              .formatted(GoText.quote(path.toString()), operation, path, reason));
    }

    static String hash(byte[] bytes) {
      return "sha256:" + Sha256.hex(bytes);
    }
  }
}
