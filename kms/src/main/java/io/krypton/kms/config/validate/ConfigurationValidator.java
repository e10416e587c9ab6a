// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.validate;

import io.krypton.kms.config.decode.DecodedConfiguration;
import io.krypton.kms.config.decode.DecodedConfiguration.Element;
import io.krypton.kms.config.decode.DecodedConfiguration.Identity;
import io.krypton.kms.config.decode.DecodedConfiguration.Keyed;
import io.krypton.kms.config.decode.DecodedConfiguration.Kms;
import io.krypton.kms.config.decode.DecodedConfiguration.MeasuredKey;
import io.krypton.kms.config.decode.DecodedConfiguration.ResourceEntry;
import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.KeyRedactor;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/** Checks each entry of a decoded configuration, in the order of the file. */
public final class ConfigurationValidator {
  private static final String NOTHING_SET =
      """
      {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":null,"KMS":null}""";
  private static final String REDACTED = GoText.quote(KeyRedactor.REDACTED);

  private final FieldErrors errors = new FieldErrors();
  private final KmsProviderValidator kmsProviderValidator;

  private ConfigurationValidator(boolean automaticReload) {
    kmsProviderValidator = new KmsProviderValidator(automaticReload, errors);
  }

  /** What is wrong, or empty. */
  public static Optional<String> check(
      DecodedConfiguration configuration, boolean automaticReload) {
    var configurationValidator = new ConfigurationValidator(automaticReload);
    configurationValidator.entries(configuration.entries());
    return configurationValidator.errors.joined();
  }

  private void entries(List<ResourceEntry> entries) {
    if (entries.isEmpty()) {
      errors.required("resources", "at least one resources is required");
    }
    for (int i = 0; i < entries.size(); i++) {
      entry(entries.get(i), "resources[" + i + "]");
    }
  }

  private void entry(ResourceEntry entry, String path) {
    var resources = path + ".resources";
    if (entry.resources().isEmpty()) {
      errors.required(resources, "at least one " + resources + " is required");
    }
    ResourceNameValidator.check(entry.resources(), resources, errors);
    var providers = path + ".providers";
    if (entry.providers().isEmpty()) {
      errors.required(providers, "at least one " + providers + " is required");
    }
    for (int i = 0; i < entry.providers().size(); i++) {
      element(entry.providers().get(i), providers + "[" + i + "]");
    }
  }

  private void element(Element element, String path) {
    if (element.settings().isEmpty()) {
      errors.invalidAs(
          path,
          NOTHING_SET,
          "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC,"
              + " Secretbox, Identity");
      return;
    }
    if (element.settings().size() > 1) {
      // kube-apiserver prints the element here, with its keys.
      errors.invalidAs(
          path,
          REDACTED,
          "more than one provider specified in a single element, should split into different list"
              + " elements");
    }
    switch (element.settings().getFirst()) {
      case Kms kms -> kmsProviderValidator.check(kms, path + ".kms");
      case Keyed keyed -> keys(keyed, path + "." + keyed.field() + ".keys");
      case Identity identity -> {}
    }
  }

  private void keys(Keyed keyed, String path) {
    if (keyed.keys().isEmpty()) {
      errors.required(path, "at least one keys is required");
    }
    for (int i = 0; i < keyed.keys().size(); i++) {
      key(keyed.keys().get(i), keyed.keyLengths(), path + "[" + i + "]");
    }
  }

  private void key(MeasuredKey key, List<Integer> lengths, String path) {
    if (!key.named()) {
      errors.required(path + ".name", "name is a mandatory field for a key");
    }
    var secret = path + ".secret";
    if (!key.secretGiven()) {
      errors.required(secret, "secret is a mandatory field for a key");
    } else if (key.length().isEmpty()) {
      errors.invalidAs(secret, REDACTED, "secrets must be base64 encoded");
    } else if (!lengths.contains(key.length().getAsInt())) {
      var expected = lengths.toString().replace(",", "");
      errors.invalidAs(
          secret,
          REDACTED,
          "secret is not of the expected length, got %d, expected one of %s"
              .formatted(key.length().getAsInt(), expected));
    }
  }

  /** Collects what is wrong with fields, worded and joined as kube-apiserver does. */
  static final class FieldErrors {
    private final SequencedSet<String> texts = new LinkedHashSet<>();

    void required(String path, String message) {
      texts.add(path + ": Required value: " + message);
    }

    /** For a text from the file, which is quoted. */
    void invalid(String path, String value, String message) {
      invalidAs(path, GoText.quote(KeyRedactor.redact(value)), message);
    }

    /** For a value that is already spelled as it shall appear. */
    void invalidAs(String path, String shown, String message) {
      texts.add(path + ": Invalid value: " + shown + ": " + message);
    }

    /** Empty without errors; one error stands alone, several are listed, equal ones once. */
    Optional<String> joined() {
      return switch (texts.size()) {
        case 0 -> Optional.empty();
        case 1 -> Optional.of(texts.getFirst());
        default -> Optional.of("[" + String.join(", ", texts) + "]");
      };
    }

    /** All texts of a list, with what may be a key left out. */
    static String redactedList(List<String> values) {
      var shown = new ArrayList<String>();
      values.forEach(value -> shown.add(KeyRedactor.redact(value)));
      return GoText.jsonList(shown);
    }
  }
}
