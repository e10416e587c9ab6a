// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.HEAD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.config.EncryptionConfiguration.KmsProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult.Loaded;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ProviderRoleAssignerTest {
  private static final ReadOptions WITH_V1 = new ReadOptions(false, KmsV1Policy.ALLOW);
  private static final String A = "kms: {apiVersion: v2, name: a, endpoint: 'unix:///a'}";
  private static final String B = "kms: {name: b, endpoint: 'unix:///b', timeout: 1m30s}";
  private static final String C = "kms: {apiVersion: v2, name: c, endpoint: 'unix://@c/d'}";
  private static final String IDENTITY = "identity: {}";

  /** A rule, the entries that show it, and who has which role. */
  record Rule(String name, String roles, List<String> entries) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Rule> rules() {
    return Stream.of(
        rule("the first provider writes", "a=WRITE b=READ", entry("secrets", A, B)),
        rule("the order of the file counts", "b=WRITE a=READ", entry("secrets", B, A)),
        rule("behind identity nobody writes", "a=READ", entry("secrets", IDENTITY, A)),
        rule("without KMS there is no role", "", entry("secrets", IDENTITY)),
        rule(
            "each resource has its writer",
            "a=WRITE b=WRITE",
            entry("secrets", A),
            entry("pods", B, IDENTITY)),
        rule(
            "a later entry of a resource only reads",
            "a=WRITE b=READ",
            entry("secrets", A),
            entry("secrets", B)),
        rule(
            "a dot does not make a new resource",
            "a=WRITE b=READ",
            entry("secrets", A),
            entry("secrets.", B)),
        rule(
            "a group makes a new resource",
            "a=WRITE b=WRITE",
            entry("secrets", A),
            entry("secrets.example", B)),
        rule(
            "one new resource is enough",
            "a=WRITE b=WRITE c=READ",
            entry("secrets", A),
            entry("secrets, pods", B, C)),
        rule(
            "a wildcard behind its member is new",
            "a=WRITE b=WRITE",
            entry("secrets", A),
            entry("'*.*'", B)),
        rule(
            "identity in front of a later entry",
            "a=WRITE b=READ",
            entry("secrets", A),
            entry("pods", IDENTITY, B)));
  }

  private static Rule rule(String name, String roles, String... entries) {
    return new Rule(name, roles, List.of(entries));
  }

  private static String entry(String resources, String... providers) {
    return "- resources: [%s]\n  providers: [%s]\n"
        .formatted(resources, String.join(", ", providers));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void roles_follow_the_rules(Rule rule) {
    var roles =
        load(rule.entries()).kmsProviders().stream()
            .map(provider -> provider.name() + "=" + provider.role())
            .toList();

    assertThat(String.join(" ", roles)).isEqualTo(rule.roles());
  }

  @Test
  void providers_are_counted_over_all_entries_and_kinds() {
    var providers =
        load(List.of(entry("secrets", IDENTITY, A), entry("pods", B, IDENTITY, C))).kmsProviders();

    assertThat(providers)
        .containsExactly(
            new KmsProvider(
                0,
                "a",
                KmsApiVersion.V2,
                new Endpoint("unix:///a", "/a", ""),
                Duration.ofSeconds(3),
                ProviderRole.READ,
                List.of()),
            new KmsProvider(
                1,
                "b",
                KmsApiVersion.V1,
                new Endpoint("unix:///b", "/b", ""),
                Duration.ofSeconds(90),
                ProviderRole.WRITE,
                List.of()),
            new KmsProvider(
                2,
                "c",
                KmsApiVersion.V2,
                new Endpoint("unix://@c/d", "/d", "c"),
                Duration.ofSeconds(3),
                ProviderRole.READ,
                providers.get(2).warnings()));
    assertThat(providers)
        .extracting(KmsProvider::checkName)
        .containsExactly("kms-provider-0", "kms-provider-1", "kms-provider-2");
  }

  @Test
  void an_explanation_has_all_that_a_reader_asks_for() {
    var configuration = load(List.of(entry("secrets", B, C)));

    assertThat(ProviderExplanation.of(configuration))
        .containsExactly(
            new ProviderExplanation(
                0, "kms-provider-0", "b", ProviderRole.WRITE, "v1", "/b", "1m30s", List.of()),
            new ProviderExplanation(
                1,
                "kms-provider-1",
                "c",
                ProviderRole.READ,
                "v2",
                "/d",
                "3s",
                List.of(
                    "\"c\" is read as a host and dropped, the address in use is \"/d\": write"
                        + " unix:///c/d")));
  }

  private static EncryptionConfiguration load(List<String> entries) {
    var content = HEAD + "resources:\n" + String.join("", entries);
    var result = EncryptionConfigurations.read("enc.yaml", content.getBytes(UTF_8), WITH_V1);
    assertThat(result).isInstanceOf(Loaded.class);
    return ((Loaded) result).configuration();
  }
}
