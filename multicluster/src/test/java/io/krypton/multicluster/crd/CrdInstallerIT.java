// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.crd;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaPropsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.crd.CrdInstaller.Compatibility;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import io.krypton.multicluster.crd.CrdInstaller.CrdResult;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class CrdInstallerIT {
  private static final String VERSION = "example.test/crd-version";

  private final String kind = "K" + UUID.randomUUID().toString().substring(0, 8);
  private final String plural = kind.toLowerCase(Locale.ROOT) + "s";
  private final Set<String> verbs = ConcurrentHashMap.newKeySet();
  private final ClientFactory clients = new ClientFactory((cluster, verb, code) -> verbs.add(verb));
  private ControlPlane plane;
  private ClusterConnection connection;

  @BeforeEach
  void connect(@Cluster("east") ControlPlane east) {
    plane = east;
    connection = as(east.adminKubeconfig());
  }

  @AfterEach
  void close() {
    served().delete();
    connection.close();
    clients.close();
  }

  private ClusterConnection as(String kubeconfig) {
    return clients.connect(
        "east",
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(kubeconfig.getBytes(StandardCharsets.UTF_8)),
        ClientSettings.remote("test"));
  }

  private Resource<CustomResourceDefinition> served() {
    return connection
        .client()
        .apiextensions()
        .v1()
        .customResourceDefinitions()
        .withName(plural + ".example.test");
  }

  private CustomResourceDefinition definition(String field) {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(plural + ".example.test")
        .endMetadata()
        .withNewSpec()
        .withGroup("example.test")
        .withScope("Namespaced")
        .withNewNames()
        .withKind(kind)
        .withPlural(plural)
        .withSingular(kind.toLowerCase(Locale.ROOT))
        .endNames()
        .addNewVersion()
        .withName("v1")
        .withServed(true)
        .withStorage(true)
        .withNewSchema()
        .withOpenAPIV3Schema(
            new JSONSchemaPropsBuilder()
                .withType("object")
                .addToProperties(field, new JSONSchemaPropsBuilder().withType("string").build())
                .build())
        .endSchema()
        .endVersion()
        .endSpec()
        .build();
  }

  private CustomResourceDefinition ours(int version) {
    var crd = definition("v" + version);
    crd.getMetadata().getAnnotations().put(VERSION, Integer.toString(version));
    return crd;
  }

  private CrdResult ensure(CrdPolicy policy, int version) {
    return ensure(policy, version, new Compatibility.Compatible(), connection.client());
  }

  private CrdResult ensure(
      CrdPolicy policy, int version, Compatibility verdict, KubernetesClient client) {
    return new CrdInstaller(policy, VERSION, (served, own) -> verdict)
        .ensure(client, List.of(ours(version)))
        .getFirst();
  }

  private String servedField() {
    return served()
        .require()
        .getSpec()
        .getVersions()
        .getFirst()
        .getSchema()
        .getOpenAPIV3Schema()
        .getProperties()
        .keySet()
        .iterator()
        .next();
  }

  @Test
  void absent_is_created_lower_is_upgraded_and_nothing_is_downgraded() {
    assertThat(ensure(CrdPolicy.SKIP, 1)).isInstanceOf(CrdResult.Failed.class);
    assertThat(ensure(CrdPolicy.CREATE, 1)).isInstanceOf(CrdResult.Created.class);
    assertThat(ensure(CrdPolicy.CREATE, 1)).isInstanceOf(CrdResult.UpToDate.class);
    assertThat(ensure(CrdPolicy.CREATE, 2)).isInstanceOf(CrdResult.Upgraded.class);
    assertThat(servedField()).isEqualTo("v2");
    assertThat(ensure(CrdPolicy.CREATE_REPLACE, 1)).isInstanceOf(CrdResult.UpToDate.class);
    assertThat(servedField()).isEqualTo("v2");
  }

  @Test
  void whether_it_is_established_is_looked_up_and_never_watched() {
    assertThat(ensure(CrdPolicy.CREATE, 1)).isInstanceOf(CrdResult.Created.class);
    assertThat(verbs).contains("POST", "GET").doesNotContain("WATCH");
    assertThat(served().require().getStatus().getConditions())
        .anyMatch(it -> "Established".equals(it.getType()) && "True".equals(it.getStatus()));
  }

  @Test
  void a_definition_of_others_is_left_alone_and_judged() {
    connection.client().resource(definition("theirs")).create();

    assertThat(ensure(CrdPolicy.CREATE, 3)).isInstanceOf(CrdResult.UpToDate.class);
    assertThat(
            ensure(CrdPolicy.CREATE, 3, new Compatibility.Outdated("no v3"), connection.client()))
        .isEqualTo(new CrdResult.Outdated(plural + ".example.test", "no v3"));
    assertThat(ensure(CrdPolicy.SKIP, 3, new Compatibility.Incompatible("no"), connection.client()))
        .isEqualTo(new CrdResult.Incompatible(plural + ".example.test", "no"));
    assertThat(servedField()).isEqualTo("theirs");
  }

  @Test
  void replacing_keeps_the_metadata_that_others_rely_on() {
    var theirs = definition("theirs");
    theirs.getMetadata().getAnnotations().put("helm.sh/resource-policy", "keep");
    connection.client().resource(theirs).create();

    assertThat(ensure(CrdPolicy.CREATE_REPLACE, 3)).isInstanceOf(CrdResult.Upgraded.class);

    assertThat(servedField()).isEqualTo("v3");
    assertThat(served().require().getMetadata().getAnnotations())
        .containsEntry("helm.sh/resource-policy", "keep")
        .containsEntry(VERSION, "3");
  }

  @Test
  void missing_rights_and_refused_definitions_are_results_not_exceptions() {
    try (var nobody = as(plane.kubeconfigFor("nobody"))) {
      assertThat(ensure(CrdPolicy.CREATE, 1, new Compatibility.Compatible(), nobody.client()))
          .isInstanceOfSatisfying(
              CrdResult.Failed.class, failed -> assertThat(failed.why()).contains("forbidden"));
    }
    var broken = ours(1);
    broken.getSpec().getVersions().getFirst().setStorage(false);
    assertThat(
            new CrdInstaller(
                    CrdPolicy.CREATE, VERSION, (served, own) -> new Compatibility.Compatible())
                .ensure(connection.client(), List.of(broken)))
        .singleElement()
        .isInstanceOf(CrdResult.Failed.class);
  }
}
