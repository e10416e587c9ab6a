package io.krypton.kms.encryption;

import io.krypton.kms.encryption.DecodedConfiguration.Element;
import io.krypton.kms.encryption.DecodedConfiguration.Identity;
import io.krypton.kms.encryption.DecodedConfiguration.Keyed;
import io.krypton.kms.encryption.DecodedConfiguration.Kms;
import io.krypton.kms.encryption.DecodedConfiguration.MeasuredKey;
import io.krypton.kms.encryption.DecodedConfiguration.ResourceEntry;
import java.util.List;
import java.util.Optional;

/** Checks each entry of a decoded configuration, in the order of the file. */
final class Validation {
  private static final String NOTHING_SET =
      """
      {"AESGCM":null,"AESCBC":null,"Secretbox":null,"Identity":null,"KMS":null}""";
  private static final String REDACTED = GoText.quote(Shown.REDACTED);

  private final FieldErrors errors = new FieldErrors();
  private final KmsRules kmsRules;

  private Validation(boolean automaticReload) {
    kmsRules = new KmsRules(automaticReload, errors);
  }

  /** What is wrong, or empty. */
  static Optional<String> check(DecodedConfiguration configuration, boolean automaticReload) {
    var validation = new Validation(automaticReload);
    validation.entries(configuration.entries());
    return validation.errors.joined();
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
    ResourceRules.check(entry.resources(), resources, errors);
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
      case Kms kms -> kmsRules.check(kms, path + ".kms");
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
}
