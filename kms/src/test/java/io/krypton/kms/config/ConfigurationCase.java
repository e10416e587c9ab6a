// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import java.nio.charset.Charset;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One file, what we say about it, and whether kube-apiserver says the same. An empty text means
 * that the file is accepted; in a text, {@code P} stands for the path of the file.
 */
record ConfigurationCase(
    String name,
    String content,
    Charset charset,
    ReadOptions options,
    String text,
    @Nullable Difference difference) {

  static final String HEAD =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      """;
  private static final String PARSING = "error while parsing file: ";
  static final String DECODING =
      PARSING + "error decoding encryption provider configuration file \"P\": ";

  static List<ConfigurationCase> all() {
    return Stream.of(
            DocumentCases.all(),
            FieldCases.all(),
            ScalarCases.all(),
            ProviderCases.all(),
            EndpointCases.all(),
            ResourceCases.all(),
            DifferenceCases.all())
        .flatMap(List::stream)
        .toList();
  }

  static ConfigurationCase accepted(String name, String content) {
    return rejected(name, content, "");
  }

  /** Rejected with exactly this text. */
  static ConfigurationCase rejected(String name, String content, String text) {
    var options = new ReadOptions(false, KmsV1Policy.ALLOW);
    return new ConfigurationCase(name, content, UTF_8, options, text, null);
  }

  /** Rejected because it is not an EncryptionConfiguration at all. */
  static ConfigurationCase undecodable(String name, String content, String text) {
    return rejected(name, content, DECODING + text);
  }

  /** Rejected because of what its fields say. */
  static ConfigurationCase invalid(String name, String content, String text) {
    return rejected(name, content, PARSING + text);
  }

  /** Rejected because its entries do not go together. */
  static ConfigurationCase unusable(String name, String content, String text) {
    return rejected(name, content, "error while building transformers: " + text);
  }

  ConfigurationCase in(Charset other) {
    return new ConfigurationCase(name, content, other, options, text, difference);
  }

  ConfigurationCase withReload() {
    var reload = new ReadOptions(true, options.kmsV1());
    return new ConfigurationCase(name, content, charset, reload, text, difference);
  }

  ConfigurationCase withoutKmsV1() {
    var deny = new ReadOptions(options.automaticReload(), KmsV1Policy.DENY);
    return new ConfigurationCase(name, content, charset, deny, text, difference);
  }

  ConfigurationCase differingIn(Difference known) {
    return new ConfigurationCase(name, content, charset, options, text, known);
  }

  byte[] bytes() {
    return content.getBytes(charset);
  }

  String textFor(String path) {
    return text.replace("\"P\"", "\"" + path + "\"");
  }

  /** A file with one entry for secrets; the providers are given in brackets. */
  static String providers(String providers) {
    return HEAD + "resources:\n- resources: [secrets]\n  providers: " + providers + "\n";
  }

  /** A file with one KMS provider; its fields are given without braces. */
  static String kms(String fields) {
    return providers("[kms: {" + fields + "}]");
  }

  /** A file with one entry for each list of resources. */
  static String resources(String... lists) {
    var file = new StringBuilder(HEAD).append("resources:\n");
    for (var list : lists) {
      file.append("- resources: ").append(list).append("\n  providers: [identity: {}]\n");
    }
    return file.toString();
  }

  @Override
  public String toString() {
    return name;
  }
}
