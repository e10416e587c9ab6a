// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import static io.krypton.multicluster.kubeconfig.TestKubeconfig.accepted;
import static io.krypton.multicluster.kubeconfig.TestKubeconfig.full;
import static io.krypton.multicluster.kubeconfig.TestKubeconfig.parse;
import static io.krypton.multicluster.kubeconfig.TestKubeconfig.refusal;
import static io.krypton.multicluster.kubeconfig.TestKubeconfig.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.crypto.Pem;
import io.krypton.base.crypto.PrivateKeys;
import io.krypton.multicluster.kubeconfig.ClusterCredentials.ClientIdentity;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParsedKubeconfigTest {
  private static final String SERVER = "server: \"https://example.test:6443\"";

  @Test
  void inline_credentials_are_accepted_with_all_their_fields() {
    var config =
        accepted(
            with(
                SERVER
                    + ", tls-server-name: other.test, proxy-url: \"http://proxy.test:3128\""
                    + ", certificate-authority-data: "
                    + TestKubeconfig.authorityData(),
                "token: abc, as: jane, as-groups: [dev, ops], client-certificate-data: "
                    + TestKubeconfig.certificateData()
                    + ", client-key-data: "
                    + TestKubeconfig.keyData()));

    assertThat(config.endpoint().server()).isEqualTo(URI.create("https://example.test:6443"));
    assertThat(config.endpoint().authorities())
        .containsExactly(TestKubeconfig.AUTHORITY.certificate());
    assertThat(config.endpoint().tlsServerName()).isEqualTo("other.test");
    assertThat(config.endpoint().proxy()).isEqualTo(URI.create("http://proxy.test:3128"));
    assertThat(config.endpoint().skipsTlsVerification()).isFalse();
    assertThat(config.credentials().token()).isEqualTo("abc");
    assertThat(config.credentials().impersonationHeaders())
        .containsEntry("Impersonate-User", List.of("jane"))
        .containsEntry("Impersonate-Group", List.of("dev", "ops"));
    assertThat(config.credentials().identity())
        .isEqualTo(
            new ClientIdentity(
                List.of(TestKubeconfig.USER.certificate()), TestKubeconfig.USER.key()));
  }

  @Test
  void what_is_written_for_child_processes_reads_back_as_the_same_access() {
    var config = accepted(full());

    var again = ParsedKubeconfig.parse(config.toYaml());

    assertThat(again).isEqualTo(config);
  }

  @Test
  void written_text_survives_values_that_look_like_other_yaml_types() {
    var config =
        accepted(with(SERVER, "token: \"12345\", as: \"yes\", as-groups: [\"null\", \"~\"]"));

    assertThat(ParsedKubeconfig.parse(config.toYaml())).isEqualTo(config);
  }

  @ParameterizedTest(name = "{0} is refused")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          exec                  | {command: sh, apiVersion: client.authentication.k8s.io/v1}
          auth-provider         | {name: gcp}
          client-certificate    | /etc/hostname
          client-key            | /etc/hostname
          tokenFile             | /etc/hostname
          username              | admin
          password              | hunter2
          as-uid                | "1"
          """)
  void a_user_field_outside_the_policy_is_refused_by_name_and_without_its_value(
      String field, String value) {
    var reason = refusal(with(SERVER, field + ": " + value));

    assertThat(reason).contains(field).doesNotContain("hunter2").doesNotContain("/etc/hostname");
  }

  @Test
  void the_reason_for_exec_says_what_is_accepted_instead() {
    assertThat(refusal(with(SERVER, "exec: {command: sh}")))
        .isEqualTo("kubeconfig uses exec; only inline credentials are accepted");
  }

  @Test
  void a_file_reference_is_refused_with_the_name_of_its_inline_form() {
    assertThat(refusal(with(SERVER + ", certificate-authority: /etc/ca.crt", "token: abc")))
        .contains("certificate-authority, a file")
        .contains("certificate-authority-data");
  }

  @Test
  void an_empty_refused_field_counts_as_absent() {
    accepted(with(SERVER, "token: abc, username: \"\", exec: null, auth-provider: {}"));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token: abc                                            | server
          server: 6443                                          | server
          server: "ftp://example.test"                          | server
          server: "https://"                                    | server
          server: "https://e.test:99999"                        | server
          server: "https://jane:pw@example.test"                | server
          server: "https://e.test", proxy-url: "socks4://p:1"   | proxy-url
          server: "http://e.test", proxy-url: "socks5://p:1"    | proxy-url
          server: "https://e.test", proxy-url: "http://p"       | proxy-url
          server: "https://e.test", insecure-skip-tls-verify: 1 | insecure-skip-tls-verify
          server: "https://e.test", certificate-authority-data: "%%" | certificate-authority-data
          server: "https://e.test", certificate-authority-data: QUJD | certificate-authority-data
          """)
  void a_bad_cluster_field_is_named(String cluster, String field) {
    assertThat(refusal(with(cluster, "token: abc"))).contains(field);
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          token: [a]                       | token
          token: "two words"               | token
          token: "line\\nbreak"            | token
          as-groups: [dev]                 | as-groups
          as: jane, as-groups: dev         | as-groups
          client-certificate-data: QUJD    | client-key-data
          """)
  void a_bad_user_field_is_named(String user, String field) {
    assertThat(refusal(with(SERVER, user))).contains(field);
  }

  @Test
  void skipping_verification_together_with_an_authority_is_refused() {
    var cluster =
        SERVER
            + ", insecure-skip-tls-verify: true, certificate-authority-data: "
            + TestKubeconfig.authorityData();

    assertThat(refusal(with(cluster, "token: abc"))).contains("remove one");
    assertThat(
            accepted(with(SERVER + ", insecure-skip-tls-verify: true", "token: abc"))
                .endpoint()
                .skipsTlsVerification())
        .isTrue();
  }

  @Test
  void a_key_of_another_pair_is_refused() throws Exception {
    var foreign = newPair("RSA");
    var user =
        "client-certificate-data: "
            + TestKubeconfig.certificateData()
            + ", client-key-data: "
            + TestKubeconfig.base64(pem(foreign));

    assertThat(refusal(with(SERVER, user))).contains("client-key-data is not the key");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "PRIVATE KEY, holds a private key that cannot be read",
    "ENCRYPTED PRIVATE KEY, is encrypted",
    "CERTIFICATE, holds no PEM private key"
  })
  void a_key_that_cannot_be_read_is_refused_with_the_reason(String label, String reason) {
    var user =
        "client-certificate-data: "
            + TestKubeconfig.certificateData()
            + ", client-key-data: "
            + TestKubeconfig.base64(Pem.encode(label, new byte[3]));

    assertThat(refusal(with(SERVER, user)))
        .isEqualTo("client-key-data " + reason + "; store the base64 of an unencrypted PEM key");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "Ed25519"})
  void keys_are_read_in_the_form_that_openssl_writes(String algorithm) throws Exception {
    var pair = newPair(algorithm);

    var key = PrivateKeys.read(pem(pair).getBytes(StandardCharsets.US_ASCII));

    assertThat(key.getEncoded()).isEqualTo(pair.getPrivate().getEncoded());
  }

  @ParameterizedTest
  @ValueSource(strings = {"secp256r1", "secp384r1", "secp521r1"})
  void elliptic_keys_are_read_in_the_form_that_go_writes(String curve) throws Exception {
    var generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec(curve));
    var pair = generator.generateKeyPair();
    var info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
    var bits = ((ECPrivateKey) pair.getPrivate()).getParams().getOrder().bitLength();
    var sec1 =
        new org.bouncycastle.asn1.sec.ECPrivateKey(
            bits,
            ((ECPrivateKey) pair.getPrivate()).getS(),
            info.getPrivateKeyAlgorithm().getParameters());

    var key =
        PrivateKeys.read(
            Pem.encode("EC PRIVATE KEY", sec1.getEncoded()).getBytes(StandardCharsets.US_ASCII));

    assertThat(((ECPrivateKey) key).getS()).isEqualTo(((ECPrivateKey) pair.getPrivate()).getS());
    assertThat(((ECPrivateKey) key).getParams().getOrder().bitLength()).isEqualTo(bits);
  }

  @Test
  void only_the_current_context_is_looked_at() {
    var text =
        """
        current-context: good
        clusters:
        - {name: good, cluster: {server: "https://good.test"}}
        - {name: bad, cluster: {server: "nonsense", certificate-authority: /etc/shadow}}
        users:
        - {name: good, user: {token: abc}}
        - {name: bad, user: {exec: {command: sh}}}
        contexts:
        - {name: good, context: {cluster: good, user: good}}
        - {name: bad, context: {cluster: bad, user: bad}}
        """;

    assertThat(accepted(text).endpoint().server()).isEqualTo(URI.create("https://good.test"));
    assertThat(refusal(text.replace("current-context: good", "current-context: bad")))
        .contains("certificate-authority");
    assertThat(refusal(text.replace("current-context: good", "")))
        .contains("several contexts and no current-context");
    assertThat(refusal(text.replace("current-context: good", "current-context: other")))
        .contains("contexts has no entry");
  }

  @Test
  void a_mapping_of_contexts_is_refused() {
    assertThat(refusal("{apiVersion: v1, kind: Config, contexts: {main: {cluster: main}}}"))
        .contains("contexts must be a list");
  }

  @Test
  void a_single_context_needs_no_current_context() {
    accepted(full().replace("current-context: main", ""));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                            | empty
          just text                                     | mapping
          [1, 2]                                        | mapping
          {a: 1, a: 2}                                  | repeats a key
          {a: &x [1], b: *x}                            | anchors or aliases
          {a: !!binary QUJD}                            | tags
          {a: 1                                         | YAML
          {}                                            | no contexts
          {contexts: 1}                                 | no contexts
          {contexts: [{name: x, context: 1}]}           | no current-context
          {contexts: [{name: x, context: {}}]}          | names no cluster
          """)
  void what_is_not_a_kubeconfig_is_refused_with_a_reason(String text, String reason) {
    assertThat(refusal(text)).contains(reason);
  }

  @Test
  void a_second_document_is_refused() {
    assertThat(refusal(full() + "\n---\n" + full())).contains("more than one YAML document");
  }

  @Test
  void size_and_depth_are_bounded() {
    var large = new byte[KubeconfigYaml.MAX_BYTES + 1];
    Arrays.fill(large, (byte) 'a');

    assertThat(((ParsedKubeconfig.Refused) ParsedKubeconfig.parse(large)).reason())
        .contains("1 MiB");
    assertThat(parse("a: " + "[".repeat(100_000))).isInstanceOf(ParsedKubeconfig.Refused.class);
    assertThat(parse("{a: ".repeat(40) + "1" + "}".repeat(40)))
        .isInstanceOf(ParsedKubeconfig.Refused.class);
  }

  @Test
  void no_text_form_shows_a_secret() {
    var config = accepted(full().replace("user: {", "user: {token: s3cr3t, as: jane, "));

    assertThat(config.toString() + config.credentials() + config.credentials().identity())
        .doesNotContain("s3cr3t")
        .doesNotContain("jane")
        .doesNotContain("MII");
  }

  private static String pem(KeyPair pair) throws Exception {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(pair.getPrivate());
    }
    return text.toString();
  }

  /** RSA in its smallest usual size: larger keys take seconds to find. */
  private static KeyPair newPair(String algorithm) throws Exception {
    var generator = KeyPairGenerator.getInstance(algorithm);
    if (algorithm.equals("RSA")) {
      generator.initialize(2048);
    }
    return generator.generateKeyPair();
  }
}
