// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.crypto.Sha256;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReportNamesTest {
  @Test
  void a_field_manager_has_128_characters_at_most() {
    var longest = "n".repeat(128 - "kms-health-reporter-".length());

    assertThat(ReportNames.fieldManager("n1")).isEqualTo("kms-health-reporter-n1");
    assertThat(ReportNames.fieldManager(longest)).hasSize(128).endsWith("nnn");
    assertThat(ReportNames.fieldManager(longest + "n"))
        .isEqualTo("kms-health-reporter-" + Sha256.hex(longest + "n"));
  }

  @Test
  void a_lease_has_253_characters_at_most() {
    var longest = "n".repeat(253 - "kms-kmshealth-".length());

    assertThat(ReportNames.lease("kmshealth", "n1")).isEqualTo("kms-kmshealth-n1");
    assertThat(ReportNames.lease("kmshealth", longest)).hasSize(253);
    assertThat(ReportNames.lease("kmshealth", longest + "n"))
        .isEqualTo("kms-kmshealth-" + Sha256.hex(longest + "n"));
  }

  @Test
  void a_lease_leads_back_to_its_node() {
    var tooLong = "n".repeat(253);
    var hashed = ReportNames.lease("kmshealth", tooLong);

    assertThat(ReportNames.nodeOfLease("kmshealth", "kms-kmshealth-n1", "")).contains("n1");
    assertThat(ReportNames.nodeOfLease("kmshealth", "kms-kubeapiserver-n1", "n1_a")).isEmpty();
    assertThat(ReportNames.nodeOfLease("kmshealth", hashed, tooLong + "_0a1b")).contains(tooLong);
    assertThat(ReportNames.nodeOfLease("kmshealth", hashed, "other_0a1b")).isEmpty();
    assertThat(ReportNames.nodeOfLease("kmshealth", hashed, "")).isEmpty();
  }

  @Test
  void a_condition_leads_back_to_its_node() {
    assertThat(ReportNames.conditionType("a.b")).isEqualTo("KMSHealthReporter_a.b");
    assertThat(ReportNames.nodeOfCondition("KMSHealthReporter_a.b")).contains("a.b");
    assertThat(ReportNames.nodeOfCondition("Degraded")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void a_target_is_known_by_its_value(ReportTarget target) {
    assertThat(ReportTarget.parse(target.value())).contains(target);
    assertThat(target.statusPath())
        .isEqualTo("/apis/%s/%ss/cluster/status".formatted(target.apiVersion(), target.value()));
    assertThat(target.isOpenShift()).isEqualTo(!target.kind().equals("KmsHealth"));
  }

  @Test
  void a_key_hash_is_that_of_the_metrics_of_kube_apiserver() {
    var hash = KeyHash.of("1");

    assertThat(hash)
        .hasToString("sha256:6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b");
    assertThat(hash.brief()).isEqualTo("sha256:6b86b273ff34");
    assertThat(hash.shortened()).isEqualTo("6b86b273ff34");
    assertThat(KeyHash.ofReported(hash.text())).isEqualTo(hash);
    assertThat(KeyHash.ofReported("1")).isEqualTo(hash);
    assertThat(KeyHash.of(hash.text())).isNotEqualTo(hash);
    assertThat(KeyHash.label("1")).isEqualTo(hash.text());
    assertThat(KeyHash.label("")).isEmpty();
    assertThatThrownBy(() -> new KeyHash("sha256:12")).isInstanceOf(IllegalArgumentException.class);
  }
}
