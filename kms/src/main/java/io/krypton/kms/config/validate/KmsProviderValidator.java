// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.validate;

import io.krypton.base.text.GoDuration;
import io.krypton.kms.config.decode.DecodedConfiguration.Kms;
import io.krypton.kms.config.validate.ConfigurationValidator.FieldErrors;
import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.KeyRedactor;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import java.util.HashSet;
import java.util.Set;

/** Checks KMS providers; it remembers their names, because they must differ over all entries. */
final class KmsProviderValidator {
  private final boolean automaticReload;
  private final FieldErrors errors;
  private final Set<String> names = new HashSet<>();

  KmsProviderValidator(boolean automaticReload, FieldErrors errors) {
    this.automaticReload = automaticReload;
    this.errors = errors;
  }

  void check(Kms kms, String path) {
    name(kms, path + ".name");
    timeout(kms, path + ".timeout");
    endpoint(kms, path + ".endpoint");
    cacheSize(kms, path + ".cachesize");
    apiVersion(kms, path + ".apiVersion");
  }

  private static boolean isV1(Kms kms) {
    return kms.apiVersion().equals("v1");
  }

  private void name(Kms kms, String path) {
    var shown = KeyRedactor.redact(kms.name());
    if (kms.name().isEmpty()) {
      errors.required(path, "name is a mandatory field for a provider");
    }
    if (!isV1(kms) && kms.name().contains(":")) {
      errors.invalid(
          path, kms.name(), "invalid KMS provider name " + shown + ", must not contain ':'");
    }
    boolean seen = !names.add(kms.name());
    if (seen && (automaticReload || !isV1(kms))) {
      errors.invalid(
          path, kms.name(), "duplicate KMS provider name " + shown + ", names must be unique");
    }
  }

  private void timeout(Kms kms, String path) {
    if (!kms.timeout().isPositive()) {
      errors.invalid(path, GoDuration.format(kms.timeout()), "timeout should be a positive value");
    }
  }

  private void endpoint(Kms kms, String path) {
    if (kms.endpoint().isEmpty()) {
      errors.invalid(path, "", "endpoint is a mandatory field for a kms");
      return;
    }
    switch (Endpoint.parse(kms.endpoint())) {
      case ParsedEndpoint.Malformed(String url, String reason) ->
          errors.invalid(
              path,
              kms.endpoint(),
              "invalid endpoint for kms provider, error: parse %s: %s"
                  .formatted(GoText.quote(KeyRedactor.redact(url)), KeyRedactor.redact(reason)));
      case ParsedEndpoint.UnsupportedScheme(String scheme) ->
          errors.invalid(
              path,
              kms.endpoint(),
              "unsupported scheme %s for KMS provider, only unix is supported"
                  .formatted(GoText.quote(KeyRedactor.redact(scheme))));
      case ParsedEndpoint.Accepted _ -> {}
    }
  }

  private void cacheSize(Kms kms, String path) {
    var size = kms.cacheSize();
    if (size == null) {
      return;
    }
    if (!isV1(kms)) {
      errors.invalidAs(path, size.toString(), "cachesize is not supported in v2");
    } else if (size == 0) {
      errors.invalidAs(path, "0", "cachesize should be a positive value, or negative to disable");
    }
  }

  private void apiVersion(Kms kms, String path) {
    if (!isV1(kms) && !kms.apiVersion().equals("v2")) {
      errors.invalid(
          path,
          kms.apiVersion(),
          "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported");
    }
  }
}
