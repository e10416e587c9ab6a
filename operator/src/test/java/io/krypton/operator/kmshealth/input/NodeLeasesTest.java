// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.krypton.api.Labels;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.operator.kmshealth.input.LeaseWatch.LeaseSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeLeasesTest {
  private static final String WATCHED =
      "no Lease in namespace krypton-system, watched by --kms-lease-namespace";

  private static SortedMap<String, NodeReport> report(String node, String tokens) {
    return ReportParser.parse(
        List.of(
            Condition.of(
                KmsHealthConditionTypes.reporter(node),
                ConditionStatus.TRUE,
                "AsExpected",
                "keyID=1 status=healthy lastChecked=2026-05-08T12:34:56Z " + tokens)),
        List.of());
  }

  private static Lease lease(String namespace, String name, String holder) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .addToLabels(Labels.KMS_TARGET, "kmshealth")
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(holder)
        .endSpec()
        .build();
  }

  /** Namespace one is watched and has the Lease, two is watched, three may not be read. */
  private static final LeaseSnapshot VIEW =
      new LeaseSnapshot(
          "krypton-system",
          Map.of(
              "krypton-system",
              List.of(),
              "one",
              List.of(lease("one", "kms-kmshealth-a", "a_1")),
              "two",
              List.of(),
              "three",
              List.of()),
          Map.of("three", "may not be read"));

  @Test
  void the_lease_that_a_report_names_is_read_wherever_it_is() {
    var named =
        NodeLeases.of("kmshealth", VIEW, report("a", "lease=one/kms-kmshealth-a"), Set.of());
    assertThat(named.heartbeats().get("a")).extracting("holder").isEqualTo("a_1");
    assertThat(named.missingReasons()).isEmpty();

    var unnamed = NodeLeases.of("kmshealth", VIEW, report("a", ""), Set.of());
    assertThat(unnamed.heartbeats()).as("it may be anybody's").isEmpty();
  }

  @Test
  void of_two_leases_the_one_that_is_named_counts() {
    var both =
        new LeaseSnapshot(
            "krypton-system",
            Map.of(
                "krypton-system",
                List.of(lease("krypton-system", "kms-kmshealth-a", "a_old")),
                "one",
                List.of(lease("one", "kms-kmshealth-a", "a_new"))),
            Map.of());
    var roll = NodeLeases.of("kmshealth", both, report("a", "lease=one/kms-kmshealth-a"), Set.of());
    assertThat(roll.heartbeats().get("a")).extracting("holder").isEqualTo("a_new");
    var silent = NodeLeases.of("kmshealth", both, report("a", ""), Set.of());
    assertThat(silent.heartbeats().get("a")).extracting("holder").isEqualTo("a_old");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          nothing is named          | interval=30s                          | -
          the namespace is watched  | lease=krypton-system/kms-kmshealth-b  | -
          it is not there           | lease=two/kms-kmshealth-b             | two/kms-kmshealth-b, which is not there
          it may not be read        | lease=three/kms-kmshealth-b           | three/kms-kmshealth-b, which may not be read
          one namespace too many    | lease=four/kms-kmshealth-b            | four/kms-kmshealth-b, which is in one namespace too many to watch
          the Lease of another node | lease=one/kms-kmshealth-a             | one/kms-kmshealth-a, which is not the Lease of this node
          """)
  void why_there_is_no_lease_is_told(String rule, String tokens, String names) {
    var roll = NodeLeases.of("kmshealth", VIEW, report("b", tokens), Set.of());

    assertThat(roll.heartbeats()).isEmpty();
    assertThat(roll.missingReasons())
        .containsExactly(
            Map.entry("b", names == null ? WATCHED : WATCHED + "; the reporter names " + names));
  }
}
