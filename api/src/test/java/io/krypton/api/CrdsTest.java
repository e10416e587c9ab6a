// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CrdsTest {
  private static final String SCHEMA = "/spec/versions/0/schema/openAPIV3Schema/properties";

  static List<CustomResourceDefinition> all() {
    return Crds.all();
  }

  private static CustomResourceDefinition crd(String kind) {
    return Crds.all().stream()
        .filter(crd -> crd.getSpec().getNames().getKind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode at(String kind, String pointer) {
    return Json.tree(crd(kind)).at(pointer);
  }

  @ParameterizedTest
  @MethodSource("all")
  void each_is_marked_as_ours_with_a_version_and_the_hash_of_its_spec(CustomResourceDefinition crd)
      throws IOException {
    var annotations = crd.getMetadata().getAnnotations();

    assertThat(annotations.get(Annotations.CRD_VERSION)).matches("[1-9][0-9]*");
    assertThat(annotations).containsEntry(Annotations.CRD_HASH, CrdFile.hash(crd));
  }

  @ParameterizedTest
  @MethodSource("all")
  void loading_loses_nothing_of_the_file(CustomResourceDefinition crd) throws IOException {
    assertThat(Json.tree(crd)).isEqualTo(Json.tree(CrdFile.of(crd).read()));
  }

  @ParameterizedTest
  @MethodSource("all")
  void each_has_one_version_with_a_status_subresource(CustomResourceDefinition crd) {
    var version = crd.getSpec().getVersions().getFirst();

    assertThat(crd.getSpec().getVersions()).hasSize(1);
    assertThat(version.getName()).isEqualTo("v1alpha1");
    assertThat(version.getServed()).isTrue();
    assertThat(version.getStorage()).isTrue();
    assertThat(version.getSubresources().getStatus()).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("all")
  void every_field_is_described(CustomResourceDefinition crd) {
    var schema = crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();

    assertThat(SchemaField.of(schema))
        .hasSizeGreaterThan(10)
        .allSatisfy(
            field -> assertThat(field.schema().getDescription()).as(field.path()).isNotBlank());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tenant            | Namespaced | tenants            | tenant            | tn   | krypton",
        "KryptonDeployment | Namespaced | kryptondeployments | kryptondeployment | kd   | krypton",
        "KmsHealth         | Cluster    | kmshealths         | kmshealth         | kmsh |",
        "TenantClass       | Namespaced | tenantclasses      | tenantclass       | tc   |",
        "ChartRollout      | Namespaced | chartrollouts      | chartrollout      | cro  |",
        "RolloutApproval   | Namespaced | rolloutapprovals   | rolloutapproval   | roa  |",
      })
  void the_names_are_those_users_know(
      String kind,
      String scope,
      String plural,
      String singular,
      String shortName,
      String category) {
    var spec = crd(kind).getSpec();

    assertThat(spec.getScope()).isEqualTo(scope);
    assertThat(spec.getNames().getPlural()).isEqualTo(plural);
    assertThat(spec.getNames().getSingular()).isEqualTo(singular);
    assertThat(spec.getNames().getShortNames()).containsExactly(shortName);
    assertThat(String.join(",", spec.getNames().getCategories()))
        .isEqualTo(category == null ? "" : category);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tenant            | Phase,Workspace,Ready,Age                     | Chart,Message",
        "KryptonDeployment | Phase,Account,Region,Ready,Age                | Chart,Message",
        "KmsHealth         | Degraded,Reason,Since,Nodes,Key,Converged,Age | Message",
        "TenantClass       | Chart,Stable,Target,Rollout,Ready,Age         | Targets,Message",
        "ChartRollout      | Class,From,To,Phase,Wave,Updated,Failed,Age   | Run,Message",
        "RolloutApproval   | Rollout,Wave,Accepted,Age                     | Message",
      })
  void the_columns_come_in_this_order_and_the_long_ones_only_when_asked_for(
      String kind, String always, String wide) {
    var columns = crd(kind).getSpec().getVersions().getFirst().getAdditionalPrinterColumns();

    assertThat(names(columns, 0)).isEqualTo(always);
    assertThat(names(columns, 1)).isEqualTo(wide);
  }

  private static String names(List<CustomResourceColumnDefinition> columns, int priority) {
    return String.join(
        ",",
        columns.stream()
            .filter(column -> column.getPriority() == priority)
            .map(CustomResourceColumnDefinition::getName)
            .toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Tenant            | /status/properties/conditions       | map    | type",
        "Tenant            | /status/properties/releases         | map    | cluster",
        "Tenant            | /spec/properties/valuesFrom         | atomic |",
        "KryptonDeployment | /status/properties/conditions       | map    | type",
        "KryptonDeployment | /status/properties/releases         | map    | cluster",
        "KryptonDeployment | /status/properties/staleTargets     | set    |",
        "KmsHealth         | /status/properties/conditions       | map    | type",
        "KmsHealth         | /status/properties/nodes            | map    | nodeName",
        "KmsHealth         | /status/properties/encryptionStatus/properties/healthReports | map | nodeName,keyID",
        "KmsHealth         | /status/properties/convergence/properties/previousRemoteKeyIDs | atomic |",
        "KmsHealth         | /spec/properties/keyIDs             | set    |",
        "KmsHealth         | /spec/properties/expectedNodes/properties/names | set |",
        "TenantClass       | /spec/properties/rollout/properties/waves | map | name",
        "TenantClass       | /status/properties/refused          | set    |",
        "TenantClass       | /status/properties/conditions       | map    | type",
        "ChartRollout      | /status/properties/waves            | map    | name",
        "ChartRollout      | /status/properties/failures         | atomic |",
        "ChartRollout      | /status/properties/conditions       | map    | type",
        "RolloutApproval   | /status/properties/conditions       | map    | type",
      })
  void each_list_says_how_writers_share_it(String kind, String list, String type, String keys) {
    var schema = at(kind, SCHEMA + list);

    assertThat(schema.path("x-kubernetes-list-type").asText()).isEqualTo(type);
    assertThat(schema.path("x-kubernetes-list-map-keys"))
        .extracting(JsonNode::asText)
        .containsExactly(keys == null ? new String[0] : keys.split(","));
  }

  @Test
  void every_list_of_every_crd_has_a_list_type() {
    for (var crd : Crds.all()) {
      var schema = crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema();
      assertThat(SchemaField.of(schema))
          .filteredOn(field -> field.schema().getItems() != null)
          .isNotEmpty()
          .allSatisfy(
              list ->
                  assertThat(list.schema().getXKubernetesListType()).as(list.path()).isNotNull());
    }
  }
}
