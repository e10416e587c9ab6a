// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;
import static io.krypton.kms.config.ConfigurationCase.accepted;
import static io.krypton.kms.config.ConfigurationCase.invalid;
import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.rejected;
import static io.krypton.kms.config.ConfigurationCase.resources;
import static io.krypton.kms.config.ConfigurationCase.undecodable;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.util.Collections.nCopies;

import java.util.List;
import java.util.stream.Stream;

/** The file as a document: encodings, JSON and YAML, kind and version. */
final class DocumentCases {
  private static final String GOOD = resources("[secrets]");
  private static final String NOTHING =
      "resources: Required value: at least one resources is required";
  private static final String JSON =
      """
      {"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration",
       "resources": [{"resources": ["secrets"], "providers": [%s]}]}
      """;

  private DocumentCases() {}

  static List<ConfigurationCase> all() {
    return Stream.of(encodings(), structure(), kinds(), json()).flatMap(List::stream).toList();
  }

  private static List<ConfigurationCase> encodings() {
    return List.of(
        accepted("plain YAML", GOOD),
        accepted("a byte order mark", "\ufeff" + GOOD),
        accepted("UTF-16 with a byte order mark", GOOD).in(UTF_16),
        accepted("CRLF", GOOD.replace("\n", "\r\n")),
        accepted("carriage returns alone", GOOD.replace("\n", "\r")),
        undecodable("not UTF-8", GOOD + "# \u00ff\n", "yaml: the file is not valid UTF-8")
            .in(ISO_8859_1)
            .differingIn(Difference.SYNTAX),
        undecodable(
                "a control character",
                GOOD + "# \u0007\n",
                "yaml: line 6: control characters are not allowed")
            .differingIn(Difference.SYNTAX),
        rejected(
            "empty",
            "",
            "error while parsing file: error while loading file: encryption provider configuration"
                + " file \"P\" is empty"));
  }

  private static List<ConfigurationCase> structure() {
    return List.of(
        accepted("only the first document is read", GOOD + "---\nkind: [broken"),
        accepted("an explicit end of the document", GOOD + "...\nmore"),
        accepted("directives and a comment first", "%YAML 1.1\n# x\n--- # y\n" + GOOD),
        undecodable("a newer YAML", "%YAML 1.2\n---\n" + GOOD, "yaml: line 1: unknown directive")
            .differingIn(Difference.SYNTAX),
        undecodable("an unknown directive", "%X\n---\n" + GOOD, "yaml: line 1: unknown directive")
            .differingIn(Difference.SYNTAX),
        undecodable("broken YAML", HEAD + "resources: [", "yaml: line 3: not valid YAML")
            .differingIn(Difference.SYNTAX),
        undecodable(
                "a tab indents",
                HEAD + "resources:\n\t- resources: [secrets]\n",
                "yaml: line 4: not valid YAML")
            .differingIn(Difference.SYNTAX),
        accepted(
            "tabs between tokens",
            HEAD
                + "resources:\t\n- resources:\t[secrets,\tpods]\t# x\n"
                + "  providers: [\n\t{identity:\t{}\t}\n\t]\n"),
        undecodable(
                "a colon sticks to a bracket",
                HEAD + "resources: [{resources:[secrets], providers: [identity: {}]}]\n",
                "yaml: line 3: a space is missing behind a colon")
            .differingIn(Difference.SYNTAX),
        undecodable(
                "nested without end",
                HEAD + "resources: " + "[".repeat(200) + "]".repeat(200) + "\n",
                "yaml: line 3: nested too deeply")
            .differingIn(Difference.SYNTAX),
        undecodable("aliases that multiply", HEAD + multiplying(), "yaml: line 3: too many values")
            .differingIn(Difference.SYNTAX),
        undecodable("a list", "- a\n", "line 1: expected a map with apiVersion and kind, got array")
            .differingIn(Difference.SYNTAX),
        undecodable("a text", "foo", "line 1: expected a map with apiVersion and kind, got string")
            .differingIn(Difference.SYNTAX));
  }

  private static String multiplying() {
    var lines = new StringBuilder("a0: &a0 [x]\n");
    for (int i = 1; i < 8; i++) {
      var alias = "*a" + (i - 1);
      lines.append("a%d: &a%d [%s]\n".formatted(i, i, String.join(", ", nCopies(9, alias))));
    }
    return lines.toString();
  }

  private static List<ConfigurationCase> kinds() {
    return List.of(
        accepted(
            "the name of old documentation",
            GOOD.replace("apiserver.config.k8s.io/v1", "v1")
                .replace("EncryptionConfiguration", "EncryptionConfig")),
        missing("no kind", "apiVersion: apiserver.config.k8s.io/v1\n", "Kind"),
        missing("no version", "kind: EncryptionConfiguration\n", "apiVersion"),
        missing("only comments", "# nothing\n", "Kind"),
        missing("a JSON object without anything", "{}", "Kind"),
        missing("null", "null", "Kind"),
        missing("a version without a name", "kind: X\napiVersion: a/\n", "apiVersion"),
        unregistered("another kind", "Foo", "apiserver.config.k8s.io/v1"),
        unregistered("another version", "EncryptionConfiguration", "apiserver.config.k8s.io/v2"),
        unregistered("the old version with the new kind", "EncryptionConfiguration", "v1"),
        unregistered("a quote in the kind", "'\"\u00e9\\\u200b'", "v1"),
        undecodable(
            "two slashes in the version",
            "kind: X\napiVersion: a/b/c\n",
            "unexpected GroupVersion string: a/b/c"),
        invalid(
            "another kind of the group",
            "kind: TracingConfiguration\napiVersion: apiserver.config.k8s.io/v1\n",
            "got unexpected config type: apiserver.config.k8s.io/v1, Kind=TracingConfiguration"),
        undecodable(
            "a number as kind",
            "kind: 5\napiVersion: v1\n",
            "couldn't get version/kind; json parse error: json: cannot unmarshal number into Go"
                + " struct field .kind of type string"),
        undecodable(
            "a list as version",
            "Kind: X\nAPIVERSION: []\n",
            "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go"
                + " struct field .apiVersion of type string"),
        undecodable(
            "kind in capitals is found and then unknown",
            "apiVersion: apiserver.config.k8s.io/v1\nKIND: EncryptionConfiguration\n",
            "strict decoding error: unknown field \"KIND\""));
  }

  private static ConfigurationCase missing(String name, String content, String field) {
    return undecodable(name, content, "Object '" + field + "' is missing in 'REDACTED'")
        .differingIn(Difference.WHOLE_FILE_PRINTED);
  }

  private static ConfigurationCase unregistered(String name, String kind, String version) {
    var shown = kind.startsWith("'") ? "\\\"\u00e9\\\\\\u200b" : kind;
    return undecodable(
            name,
            "kind: %s\napiVersion: %s\n".formatted(kind, version),
            ("no kind \"%s\" is registered for version \"%s\" in scheme"
                    + " \"pkg/runtime/scheme.go:111\"")
                .formatted(shown, version))
        .differingIn(Difference.SOURCE_POSITION);
  }

  private static List<ConfigurationCase> json() {
    return List.of(
        accepted("JSON", JSON.formatted("{\"identity\": {}}")),
        accepted("JSON behind white space", "\n\t " + JSON.formatted("{\"identity\": {}}")),
        accepted("JSON behind a byte order mark", "\ufeff" + JSON.formatted("{\"identity\": {}}")),
        undecodable("text behind JSON", JSON.formatted("") + "x", "line 3 is not valid JSON")
            .differingIn(Difference.SYNTAX),
        undecodable("YAML in braces is no JSON", "{kind: X}", "line 1 is not valid JSON")
            .differingIn(Difference.SYNTAX),
        undecodable(
            "a field twice in JSON",
            JSON.replace("\"providers\"", "\"providers\": [], \"providers\"").formatted(""),
            "strict decoding error: duplicate field \"resources[0].providers\""),
        undecodable(
            "JSON fields are told in their order",
            JSON.formatted("{\"b\": 1, \"a\": {\"c\": 2}}"),
            "strict decoding error: unknown field \"resources[0].providers[0].b\", unknown field"
                + " \"resources[0].providers[0].a\""),
        undecodable(
            "1000.0 is no integer in JSON",
            JSON.formatted("{\"kms\": {\"cachesize\": 1000.0}}"),
            "json: cannot unmarshal number 1000.0 into Go struct field"
                + " KMSConfiguration.resources.providers.kms.cachesize of type int32"),
        accepted(
            "escapes in JSON",
            JSON.formatted(
                """
                {"kms": {"apiVersion": "v\\u0032", "name": "\\ud83d\\ude00\\/\\t", "timeout": "1ms",
                 "endpoint": "unix:\\/\\/\\/a"}}""")),
        invalid("nothing in it", HEAD, NOTHING),
        invalid("an empty list of entries", HEAD + "resources: []\n", NOTHING),
        accepted(
            "a file may end without a line break",
            kms("apiVersion: v2, name: a, endpoint: 'unix:///a', timeout: 1ms").strip()));
  }
}
