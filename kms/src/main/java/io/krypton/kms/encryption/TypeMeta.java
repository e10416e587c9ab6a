package io.krypton.kms.encryption;

import java.util.Set;

/** Kind and version of a file, found before anything else is decoded, in any spelling of case. */
record TypeMeta(String group, String version, String kind) {
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

  static TypeMeta of(Value document) throws Rejected {
    if (document instanceof Value.Null) {
      return of("", "");
    }
    if (!(document instanceof Value.Fields object)) {
      throw new Rejected("line 1: expected a map with apiVersion and kind, got " + document.sort());
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

  private static String text(String name, Value value, String before) throws Rejected {
    return switch (value) {
      case Value.Text text -> text.content();
      case Value.Null absent -> before;
      default ->
          throw new Rejected(
              "couldn't get version/kind; json parse error: json: cannot unmarshal "
                  + value.sort()
                  + " into Go struct field ."
                  + name
                  + " of type string");
    };
  }

  private static TypeMeta of(String apiVersion, String kind) throws Rejected {
    int slash = apiVersion.indexOf('/');
    if (slash != apiVersion.lastIndexOf('/')) {
      throw new Rejected("unexpected GroupVersion string: " + Shown.text(apiVersion));
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

  private static Rejected missing(String what) {
    return new Rejected("Object '" + what + "' is missing in '" + Shown.REDACTED + "'");
  }

  /** Whether this is the configuration, under its name or under the one of old documentation. */
  boolean isEncryptionConfiguration() {
    return version.equals(VERSION)
        && ((group.equals(GROUP) && kind.equals("EncryptionConfiguration"))
            || (group.isEmpty() && kind.equals("EncryptionConfig")));
  }

  /** Whether kube-apiserver knows this kind and only then finds that it is the wrong one. */
  boolean isSibling() {
    return group.equals(GROUP) && version.equals(VERSION) && SIBLINGS.contains(kind);
  }

  String unexpectedType() {
    return "got unexpected config type: %s/%s, Kind=%s".formatted(group, version, kind);
  }

  Rejected notRegistered() {
    var groupVersion = group.isEmpty() ? version : group + "/" + version;
    return new Rejected(
        "no kind %s is registered for version %s in scheme %s"
            .formatted(
                GoText.quote(Shown.text(kind)),
                GoText.quote(Shown.text(groupVersion)),
                GoText.quote(SCHEME)));
  }
}
