// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;
import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.providers;
import static io.krypton.kms.config.ConfigurationCase.unusable;

import java.util.List;
import java.util.stream.Stream;

/** Elements of provider lists: kinds, KMS fields, keys. */
final class ProviderCases {
  private static final String PATH = "resources[0].providers[0]";
  private static final String V1 = "kms: {name: %s, endpoint: 'unix:///a', timeout: 1ms}";
  private static final String V2 =
      "kms: {apiVersion: v2, name: %s, endpoint: 'unix:///a', timeout: 1ms}";
  private static final String KEY_16 = "MDEyMzQ1Njc4OWFiY2RlZg==";
  private static final String KEY_32 = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

  private ProviderCases() {}

  static List<ConfigurationCase> all() {
    return Stream.of(kinds(), names(), versions(), keys()).flatMap(List::stream).toList();
  }

  private static List<ConfigurationCase> kinds() {
    var nothing =
        PATH
            + ": Invalid value: {\"AESGCM\":null,\"AESCBC\":null,\"Secretbox\":null,"
            + "\"Identity\":null,\"KMS\":null}: provider does not contain any of the expected"
            + " providers: KMS, AESGCM, AESCBC, Secretbox, Identity";
    var several =
        PATH
            + ": Invalid value: \"REDACTED\": more than one provider specified in a single element,"
            + " should split into different list elements";
    return List.of(
        invalid("an element without a kind", providers("[{}]"), nothing),
        invalid("null for a provider", providers("[~]"), nothing),
        invalid("an identity without a value", providers("[identity: ]"), nothing),
        invalid(
                "two kinds",
                providers(
                    "[{identity: {}, aescbc: {keys: [{name: a, secret: %s}]}}]".formatted(KEY_16)),
                several)
            .differingIn(Difference.KEYS_PRINTED),
        invalid(
                "of two kinds KMS is checked",
                providers("[{aescbc: {}, kms: {apiVersion: v2, name: a}}]"),
                "["
                    + several
                    + ", "
                    + PATH
                    + ".kms.endpoint: Invalid value: \"\": endpoint is a mandatory"
                    + " field for a kms]")
            .differingIn(Difference.KEYS_PRINTED),
        invalid(
            "empty lists",
            HEAD + "resources: [{}]\n",
            "[resources[0].resources: Required value: at least one resources[0].resources is"
                + " required, resources[0].providers: Required value: at least one"
                + " resources[0].providers is required]"),
        invalid(
            "an entry that is null",
            HEAD + "resources: [~, ~]\n",
            "[resources[0].resources: Required value: at least one resources[0].resources is"
                + " required, resources[0].providers: Required value: at least one"
                + " resources[0].providers is required, resources[1].resources: Required value: at"
                + " least one resources[1].resources is required, resources[1].providers: Required"
                + " value: at least one resources[1].providers is required]"));
  }

  private static List<ConfigurationCase> names() {
    var again =
        ".kms.name: Invalid value: \"a\": duplicate KMS provider name a, names must be unique";
    return List.of(
        invalid(
            "a colon in a v2 name",
            list(V2.formatted("'a:b'")),
            PATH
                + ".kms.name: Invalid value: \"a:b\": invalid KMS provider name a:b, must not"
                + " contain ':'"),
        accepted("a colon in a v1 name", list(V1.formatted("'a:b'"))),
        invalid(
            "two v2 of a name",
            list(V2.formatted("a"), V2.formatted("a")),
            "resources[0].providers[1]" + again),
        invalid(
            "v2 after v1 of its name",
            list(V1.formatted("a"), V2.formatted("a")),
            "resources[0].providers[1]" + again),
        accepted("v1 after v2 of its name", list(V2.formatted("a"), V1.formatted("a"))),
        invalid(
                "v1 after v2 of its name, reloaded",
                list(V2.formatted("a"), V1.formatted("a")),
                "resources[0].providers[1]" + again)
            .withReload(),
        accepted("two v1 of a name", list(V1.formatted("a"), V1.formatted("a"))),
        invalid(
                "two v1 of a name, reloaded",
                list(V1.formatted("a"), V1.formatted("a")),
                "resources[0].providers[1]" + again)
            .withReload(),
        invalid(
            "names are compared over entries",
            list(V2.formatted("a"))
                + "- resources: [pods]\n  providers: ["
                + V2.formatted("a")
                + "]\n",
            "resources[1].providers[0]" + again),
        accepted("different names, reloaded", list(V2.formatted("a"), V2.formatted("b")))
            .withReload());
  }

  private static String list(String... providers) {
    return providers("[" + String.join(", ", providers) + "]");
  }

  private static List<ConfigurationCase> versions() {
    var denied =
        "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2"
            + " instead.  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.";
    return List.of(
        unusable("v1 by default is denied", list(V1.formatted("a")), denied).withoutKmsV1(),
        unusable(
                "an empty version is v1",
                kms("apiVersion: '', name: a, endpoint: 'unix:///a'"),
                denied)
            .withoutKmsV1(),
        accepted("v2 without KMSv1", list(V2.formatted("a"))).withoutKmsV1(),
        unusable("v1 behind a valid v2", list(V2.formatted("a"), V1.formatted("b")), denied)
            .withoutKmsV1(),
        invalid(
            "versions are case-sensitive",
            kms("apiVersion: V2, name: a, endpoint: 'unix:///a'"),
            PATH
                + ".kms.apiVersion: Invalid value: \"V2\": unsupported apiVersion"
                + " apiVersion for KMS"
                + " provider, only v1 and v2 are supported"),
        invalid(
            "a cache size for v2",
            kms("apiVersion: v2, name: a, endpoint: 'unix:///a', cachesize: 5"),
            PATH + ".kms.cachesize: Invalid value: 5: cachesize is not supported in v2"),
        invalid(
            "no cache size for v1",
            kms("name: a, endpoint: 'unix:///a', cachesize: 0"),
            PATH
                + ".kms.cachesize: Invalid value: 0: cachesize should be a positive value, or"
                + " negative to disable"),
        invalid(
            "everything wrong with a provider, in order",
            kms("apiVersion: v3, name: '', timeout: 0s, cachesize: 1"),
            "["
                + PATH
                + ".kms.name: Required value: name is a mandatory field for a provider, "
                + PATH
                + ".kms.timeout: Invalid value: \"0s\": timeout should be a positive value, "
                + PATH
                + ".kms.endpoint: Invalid value: \"\": endpoint is a mandatory field for a kms, "
                + PATH
                + ".kms.cachesize: Invalid value: 1: cachesize is not supported in v2, "
                + PATH
                + ".kms.apiVersion: Invalid value: \"v3\": unsupported apiVersion"
                + " apiVersion for KMS"
                + " provider, only v1 and v2 are supported]"),
        accepted("defaults of v1", kms("name: a, endpoint: 'unix:///a', timeout: ~")));
  }

  private static List<ConfigurationCase> keys() {
    return List.of(
        accepted(
            "AES keys of 16 and 32 bytes",
            providers(
                "[aesgcm: {keys: [{name: a, secret: %s}]}, aescbc: {keys: [{name: a, secret: %s}]}]"
                    .formatted(KEY_16, KEY_32))),
        accepted(
            "a key of 24 bytes",
            keyed("aescbc", "{name: a, secret: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3}")),
        accepted("a secretbox key", keyed("secretbox", "{name: a, secret: %s}".formatted(KEY_32))),
        accepted(
            "line breaks in a key",
            keyed("aescbc", "{name: a, secret: \"MDEyMzQ1\\r\\nNjc4OWFiY2RlZg==\\n\"}")),
        badKey(
            "no padding",
            "aescbc",
            "{name: a, secret: MDEyMzQ1Njc4OWFiY2RlZg}",
            ".secret: Invalid value: \"REDACTED\": secrets must be base64 encoded"),
        badKey(
            "no base64",
            "aescbc",
            "{name: a, secret: '*'}",
            ".secret: Invalid value: \"REDACTED\": secrets must be base64 encoded"),
        badKey(
            "9 bytes",
            "aesgcm",
            "{name: a, secret: MDEyMzQ1Njc4}",
            ".secret: Invalid value: \"REDACTED\": secret is not of the expected"
                + " length, got 9, expected one of [16 24 32]"),
        badKey(
            "16 bytes for a secretbox",
            "secretbox",
            "{name: a, secret: " + KEY_16 + "}",
            ".secret: Invalid value: \"REDACTED\": secret is not of the expected"
                + " length, got 16, expected one of [32]"),
        badKey(
            "no secret",
            "aescbc",
            "{name: a}",
            ".secret: Required value: secret is a mandatory field for a key"),
        badKey(
            "no name",
            "aescbc",
            "{secret: " + KEY_16 + "}",
            ".name: Required value: name is a mandatory field for a key"),
        invalid(
            "no keys",
            providers("[secretbox: {}]"),
            PATH + ".secretbox.keys: Required value: at least one keys is required"));
  }

  private static String keyed(String kind, String key) {
    return providers("[" + kind + ": {keys: [" + key + "]}]");
  }

  private static ConfigurationCase badKey(String name, String kind, String key, String error) {
    return invalid("a key with " + name, keyed(kind, key), PATH + "." + kind + ".keys[0]" + error);
  }
}
