// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;
import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.providers;
import static io.krypton.kms.config.ConfigurationCase.undecodable;

import java.util.List;
import java.util.stream.Stream;

/** Fields that are unknown, repeated or of the wrong type; anchors and merge keys. */
final class FieldCases {
  private FieldCases() {}

  static List<ConfigurationCase> all() {
    return Stream.of(unknown(), repeated(), wrongTypes(), anchors()).flatMap(List::stream).toList();
  }

  private static List<ConfigurationCase> unknown() {
    return List.of(
        undecodable(
            "unknown fields are sorted",
            kms("foo: 1, bar: 2"),
            strict(
                "unknown field \"resources[0].providers[0].kms.bar\"",
                "unknown field \"resources[0].providers[0].kms.foo\"")),
        undecodable(
            "unknown fields at every level",
            HEAD + "x: 1\nresources: [{w: 1, providers: [{z: {a: b}}]}]\n",
            strict(
                "unknown field \"resources[0].providers[0].z\"",
                "unknown field \"resources[0].w\"",
                "unknown field \"x\"")),
        undecodable("metadata", HEAD + "metadata: {}\n", strict("unknown field \"metadata\"")),
        undecodable(
            "wrong case",
            providers("[Identity: {}]"),
            strict("unknown field \"resources[0].providers[0].Identity\"")),
        undecodable(
            "identity has no fields",
            providers("[identity: {a: 1}]"),
            strict("unknown field \"resources[0].providers[0].identity.a\"")),
        undecodable(
            "keys that are no texts",
            HEAD + "1: a\ntrue: b\n1.5: c\n",
            strict("unknown field \"1\"", "unknown field \"1.5\"", "unknown field \"true\"")),
        undecodable("null as a key", HEAD + "~: a\n", "yaml: line 3: unsupported map key")
            .differingIn(Difference.SYNTAX),
        undecodable("a list as a key", HEAD + "? [a]\n: b\n", "yaml: line 3: unsupported map key")
            .differingIn(Difference.SYNTAX));
  }

  private static List<ConfigurationCase> repeated() {
    return List.of(
        undecodable(
            "a field twice in YAML",
            providers("[kms: {name: a, name: b}]"),
            strict("yaml: unmarshal errors:\n  line 5: key \"name\" already set in map")),
        undecodable(
            "two fields twice, and an unknown one",
            HEAD + "resources: []\nresources:\n- x: 1\n  x: 2\n",
            strict(
                "yaml: unmarshal errors:\n  line 6: key \"x\" already set in map\n"
                    + "  line 5: key \"resources\" already set in map",
                "unknown field \"resources[0].x\"")),
        undecodable(
            "a wrong type goes before a repetition",
            HEAD + "resources: []\nresources: 5\n",
            "json: cannot unmarshal number into Go struct field"
                + " EncryptionConfiguration.resources of"
                + " type []v1.ResourceConfiguration"));
  }

  private static String strict(String... errors) {
    return "strict decoding error: " + String.join(", ", errors);
  }

  private static List<ConfigurationCase> wrongTypes() {
    return List.of(
        wrongType(
            "entries",
            "resources: x",
            "string",
            "EncryptionConfiguration.resources",
            "[]v1.ResourceConfiguration"),
        wrongType(
            "an entry",
            "resources: [1]",
            "number",
            "EncryptionConfiguration.resources",
            "v1.ResourceConfiguration"),
        wrongType(
            "a list of resources",
            "resources: [resources: {}]",
            "object",
            "ResourceConfiguration.resources.resources",
            "[]string"),
        wrongType(
            "a resource",
            "resources: [resources: [yes]]",
            "bool",
            "ResourceConfiguration.resources.resources",
            "string"),
        wrongType(
            "a provider",
            "resources: [providers: [a]]",
            "string",
            "ResourceConfiguration.resources.providers",
            "v1.ProviderConfiguration"),
        wrongType(
            "a KMS provider",
            "resources: [providers: [kms: []]]",
            "array",
            "ProviderConfiguration.resources.providers.kms",
            "v1.KMSConfiguration"),
        wrongType(
            "AES",
            "resources: [providers: [aesgcm: 1]]",
            "number",
            "ProviderConfiguration.resources.providers.aesgcm",
            "v1.AESConfiguration"),
        wrongType(
            "a secretbox",
            "resources: [providers: [secretbox: 1]]",
            "number",
            "ProviderConfiguration.resources.providers.secretbox",
            "v1.SecretboxConfiguration"),
        wrongType(
            "an identity",
            "resources: [providers: [identity: 1]]",
            "number",
            "ProviderConfiguration.resources.providers.identity",
            "v1.IdentityConfiguration"),
        wrongType(
            "keys",
            "resources: [providers: [aescbc: {keys: 1}]]",
            "number",
            "AESConfiguration.resources.providers.aescbc.keys",
            "[]v1.Key"),
        wrongType(
            "a key",
            "resources: [providers: [aescbc: {keys: [1]}]]",
            "number",
            "AESConfiguration.resources.providers.aescbc.keys",
            "v1.Key"),
        wrongType(
            "a secret",
            "resources: [providers: [aescbc: {keys: [secret: 123456]}]]",
            "number",
            "Key.resources.providers.aescbc.keys.secret",
            "string"),
        undecodable(
            "a bad duration goes before a wrong type",
            kms("cachesize: x, timeout: 3x"),
            "time: unknown unit \"x\" in duration \"3x\""));
  }

  private static ConfigurationCase wrongType(
      String what, String body, String found, String field, String wanted) {
    return undecodable(
        "a wrong type for " + what,
        HEAD + body + "\n",
        "json: cannot unmarshal %s into Go struct field %s of type %s"
            .formatted(found, field, wanted));
  }

  private static List<ConfigurationCase> anchors() {
    return List.of(
        accepted(
            "anchors and aliases",
            HEAD
                + """
                resources:
                - resources: [secrets]
                  providers: &p
                  - identity: &nothing {}
                - resources: [pods]
                  providers: *p
                """),
        accepted(
            "merge keys",
            HEAD
                + """
                resources:
                - &first
                  resources: [secrets]
                  providers: [identity: {}]
                - <<: *first
                - <<: [{resources: [pods]}, {providers: [identity: {}]}]
                """),
        undecodable(
            "a merged key cannot be set again",
            HEAD
                + """
                resources:
                - &first
                  resources: [secrets]
                  providers: [identity: {}]
                - <<: *first
                  resources: [pods]
                """,
            strict("yaml: unmarshal errors:\n  line 8: key \"resources\" already set in map")),
        undecodable(
                "only maps can be merged",
                HEAD + "<<: 1\n",
                "yaml: line 3: only a map can be merged")
            .differingIn(Difference.SYNTAX),
        undecodable(
                "an alias without an anchor",
                HEAD + "resources: *x\n",
                "yaml: line 3: alias without an anchor")
            .differingIn(Difference.SYNTAX),
        undecodable(
                "an alias inside its anchor",
                HEAD + "resources: &x [*x]\n",
                "yaml: line 3: alias inside its own anchor")
            .differingIn(Difference.SYNTAX));
  }
}
