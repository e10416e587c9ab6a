// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.decode;

import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import io.krypton.kms.config.yaml.KeyRedactor;
import io.krypton.kms.config.yaml.Value;
import java.util.Set;

/** Kind and version of a file, found before anything else is decoded, in any spelling of case. */
public record TypeMeta(String group, String version, String kind) {
  private static final String GROUP = "apiserver.config.k8s.io";
  private static final String VERSION = "v1";
  private static final Set<String> SIBLINGS =
      Set.of(
          "AdmissionConfiguration",
          "AuthenticationConfiguration",
          "AuthorizationConfiguration",
          "TracingConfiguration");

  /** Where kube-apiserver created its scheme; part of its message, of no use to the reader. */
  private static final String SCHEME = "pkg/runtime/scheme.go:111";

  public static TypeMeta of(Value document) throws InvalidConfigurationException {
    if (document instanceof Value.Null) {
      return of("", "");
    }
    if (!(document instanceof Value.Fields object)) {
      throw new InvalidConfigurationException(
          "line 1: expected a map with apiVersion and kind, got " + document.typeName());
    }
    var kind = "";
    var apiVersion = "";
    for (var field : object.fields()) {
      if (field.name().equalsIgnoreCase("kind")) {
        kind = text("kind", field.value(), kind);
      } else if (field.name().equalsIgnoreCase("apiVersion")) {
        apiVersion = text("apiVersion", field.value(), apiVersion);
      }
    }
    return of(apiVersion, kind);
  }

  private static String text(String name, Value value, String before)
      throws InvalidConfigurationException {
    return switch (value) {
      case Value.Text text -> text.content();
      case Value.Null absent -> before;
      default ->
          throw new InvalidConfigurationException(
              "couldn't get version/kind; json parse error: json: cannot unmarshal "
                  + value.typeName()
                  + " into Go struct field ."
                  + name
                  + " of type string");
    };
  }

  private static TypeMeta of(String apiVersion, String kind) throws InvalidConfigurationException {
    int slash = apiVersion.indexOf('/');
    if (slash != apiVersion.lastIndexOf('/')) {
      throw new InvalidConfigurationException(
          "unexpected GroupVersion string: " + KeyRedactor.redact(apiVersion));
    }
    var type =
        new TypeMeta(
            apiVersion.substring(0, Math.max(slash, 0)), apiVersion.substring(slash + 1), kind);
    if (kind.isEmpty()) {
      throw missing("Kind");
    }
    if (type.version.isEmpty()) {
      throw missing("apiVersion");
    }
    return type;
  }

  private static InvalidConfigurationException missing(String what) {
    return new InvalidConfigurationException(
        "Object '" + what + "' is missing in '" + KeyRedactor.REDACTED + "'");
  }

  /** Whether this is the configuration, under its name or under the one of old documentation. */
  public boolean isEncryptionConfiguration() {
    return version.equals(VERSION)
        && ((group.equals(GROUP) && kind.equals("EncryptionConfiguration"))
            || (group.isEmpty() && kind.equals("EncryptionConfig")));
  }

  /** Whether kube-apiserver knows this kind and only then finds that it is the wrong one. */
  public boolean isOtherConfigKind() {
    return group.equals(GROUP) && version.equals(VERSION) && SIBLINGS.contains(kind);
  }

  public String unexpectedType() {
    return "got unexpected config type: %s/%s, Kind=%s".formatted(group, version, kind);
  }

  public InvalidConfigurationException notRegistered() {
    var groupVersion = group.isEmpty() ? version : group + "/" + version;
    return new InvalidConfigurationException(
        "no kind %s is registered for version %s in scheme %s"
            .formatted(
                GoText.quote(KeyRedactor.redact(kind)),
                GoText.quote(KeyRedactor.redact(groupVersion)),
                GoText.quote(SCHEME)));
  }
}
