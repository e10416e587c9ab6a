// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Adherence;
import io.krypton.operator.tls.profile.OpenShiftTlsProfile.Resolution;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsProfileTest {
  private static final String INTERMEDIATE_JSON =
      "{\"ciphers\":[\"TLS_AES_128_GCM_SHA256\",\"TLS_AES_256_GCM_SHA384\","
          + "\"TLS_CHACHA20_POLY1305_SHA256\",\"ECDHE-ECDSA-AES128-GCM-SHA256\","
          + "\"ECDHE-RSA-AES128-GCM-SHA256\",\"ECDHE-ECDSA-AES256-GCM-SHA384\","
          + "\"ECDHE-RSA-AES256-GCM-SHA384\",\"ECDHE-ECDSA-CHACHA20-POLY1305\","
          + "\"ECDHE-RSA-CHACHA20-POLY1305\"],\"minTLSVersion\":\"VersionTLS12\"}";

  @Test
  void j1_intermediate_is_written_byte_for_byte_as_others_write_it() {
    var json = PredefinedProfiles.INTERMEDIATE.canonicalJson();
    assertThat(json).isEqualTo(INTERMEDIATE_JSON).hasSize(311);
    assertThat(PredefinedProfiles.INTERMEDIATE.hash())
        .isEqualTo("8e18e9c1df590707f8d9330d550a10a52607437739a3ed2be8a1714030ebb409");
  }

  @Test
  void j2_duplicates_go_names_stay_and_what_cannot_be_a_name_is_reported() {
    var reading =
        ParseResult.of(
            List.of("B-NEW", "A", "B-NEW", "with\"quote", "", "x".repeat(65)),
            "VersionTLS13",
            List.of("X25519", "X25519"));
    assertThat(reading).isInstanceOf(ParseResult.Parsed.class);
    var parsed = (ParseResult.Parsed) reading;
    assertThat(parsed.profile().canonicalJson())
        .isEqualTo(
            "{\"ciphers\":[\"B-NEW\",\"A\"],\"minTLSVersion\":\"VersionTLS13\",\"groups\":[\"X25519\"]}");
    assertThat(parsed.malformed()).containsExactly("with\"quote", "", "x".repeat(65));
  }

  @Test
  void j3_an_empty_minimum_is_tls_12_and_an_unknown_one_an_error() {
    assertThat(read("{}")).isEqualTo(read("{\"ciphers\":[],\"minTLSVersion\":\"VersionTLS12\"}"));
    assertThat(((ParseResult.Parsed) read("{}")).profile().canonicalJson())
        .isEqualTo("{\"ciphers\":[],\"minTLSVersion\":\"VersionTLS12\"}");
    assertThat(read("{\"minTLSVersion\":\"VersionTLS14\"}"))
        .isInstanceOfSatisfying(
            ParseResult.Invalid.class,
            bad -> assertThat(bad.reason()).contains("VersionTLS14").contains("use VersionTLS10"));
  }

  @Test
  void j4_custom_with_the_content_of_intermediate_has_its_hash() {
    var custom = INTERMEDIATE_JSON;
    var spec = "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":%s}}".formatted(custom);
    assertThat(((Resolution.Resolved) OpenShiftTlsProfile.resolve(json(spec))).profile().hash())
        .isEqualTo(PredefinedProfiles.INTERMEDIATE.hash());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "null",
        "{\"ciphers\":[]} x",
        "{\"ciphers\":[]}{}",
        "{\"ciphers\":[],\"ciphers\":[]}",
        "{\"ciphers\":\"A\"}",
        "{\"ciphers\":[1]}",
        "{\"ciphers\":null}",
        "{\"groups\":{}}",
        "{\"minTLSVersion\":12}",
        "{\"ciphers\":["
      })
  void j5_what_is_not_exactly_a_profile_is_refused(String text) {
    assertThat(read(text)).isInstanceOf(ParseResult.Invalid.class);
  }

  @Test
  void j5_unknown_members_pass_and_curves_stand_in_for_groups() {
    assertThat(((ParseResult.Parsed) read("{\"new\":{},\"curves\":[\"X25519\"]}")).profile())
        .extracting(TlsProfile::groups)
        .isEqualTo(List.of("X25519"));
    assertThat(
            ((ParseResult.Parsed) read("{\"groups\":[\"secp256r1\"],\"curves\":[\"X25519\"]}"))
                .profile()
                .groups())
        .containsExactly("secp256r1");
    assertThat(TlsProfileParser.parse(new byte[TlsProfileParser.MAX_BYTES + 1]))
        .isEqualTo(new ParseResult.Invalid("it is larger than 64 KiB"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{}|9|VersionTLS12",
        "{\"tlsSecurityProfile\":{\"type\":\"\"}}|9|VersionTLS12",
        "{\"tlsSecurityProfile\":{\"type\":\"Old\",\"old\":{}}}|24|VersionTLS10",
        "{\"tlsSecurityProfile\":{\"type\":\"Intermediate\"}}|9|VersionTLS12",
        "{\"tlsSecurityProfile\":{\"type\":\"Modern\"}}|3|VersionTLS13",
        "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"ciphers\":[\"A\"]}}}|1|VersionTLS12"
      })
  void the_cluster_object_is_resolved(String spec, int ciphers, String minimum) {
    var resolved = (Resolution.Resolved) OpenShiftTlsProfile.resolve(json(spec));
    assertThat(resolved.profile().ciphers()).hasSize(ciphers);
    assertThat(resolved.profile().minimum().profileName()).isEqualTo(minimum);
    assertThat(resolved.profile().groups()).isEmpty();
    assertThat(resolved.predefined()).isEqualTo(!spec.contains("Custom"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "{\"tlsSecurityProfile\":{\"type\":\"Custom\"}}|custom TLS profile specified but Custom field is nil",
        "{\"tlsSecurityProfile\":{\"type\":\"Newest\"}}|unknown TLS profile type Newest",
        "{\"tlsSecurityProfile\":{\"type\":\"Custom\",\"custom\":{\"ciphers\":1}}}|custom TLS profile: ciphers and groups must be lists of names"
      })
  void a_cluster_object_that_makes_no_sense_is_refused(String spec, String reason) {
    assertThat(OpenShiftTlsProfile.resolve(json(spec))).isEqualTo(new Resolution.Unusable(reason));
  }

  @ParameterizedTest(name = "tlsAdherence {0}, {1}")
  @CsvSource({
    "'',ALWAYS,true,false",
    "LegacyAdheringComponentsOnly,ALWAYS,true,false",
    "StrictAllComponents,ALWAYS,true,false",
    "Foo,ALWAYS,true,true",
    "'',CLUSTER,false,false",
    "LegacyAdheringComponentsOnly,CLUSTER,false,false",
    "StrictAllComponents,CLUSTER,true,false",
    "Foo,CLUSTER,true,true"
  })
  void adherence(String value, Adherence mode, boolean toCluster, boolean warns) {
    var adherenceResult =
        OpenShiftTlsProfile.adherence(json("{\"tlsAdherence\":\"%s\"}".formatted(value)), mode);
    assertThat(adherenceResult.toCluster()).isEqualTo(toCluster);
    assertThat(adherenceResult.warning().isPresent()).isEqualTo(warns);
  }

  private static ParseResult read(String text) {
    return TlsProfileParser.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
