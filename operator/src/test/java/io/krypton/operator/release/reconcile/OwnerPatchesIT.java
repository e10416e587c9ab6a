// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class OwnerPatchesIT {
  private static final String OURS = "example.com/ours";
  private static final String THEIRS = "example.com/theirs";

  private KubernetesClient client;
  private ConfigMap owner;

  @BeforeEach
  void create(@Cluster("helm") TestNamespace namespace) {
    var config = Config.fromKubeconfig(namespace.controlPlane().adminKubeconfig());
    client = new KubernetesClientBuilder().withConfig(config).build();
    owner =
        client
            .resource(
                new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace.name())
                    .withName("owner")
                    .endMetadata()
                    .build())
            .create();
  }

  @AfterEach
  void remove() {
    if (client.resource(owner).get() != null) {
      client
          .resource(owner)
          .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    }
    client.close();
  }

  @Test
  void what_comes_back_is_what_the_server_holds_so_that_the_next_write_meets_no_conflict() {
    var marked = OwnerPatches.addFinalizer(client, owner, OURS).orElseThrow();
    var annotated = OwnerPatches.annotate(client, marked, "example.com/a", "b").orElseThrow();

    assertThat(annotated).isEqualTo(client.resource(owner).get());
    assertThat(annotated.getMetadata().getFinalizers()).containsExactly(OURS);
    assertThat(annotated.getMetadata().getAnnotations()).containsEntry("example.com/a", "b");
    // With the version it carries, and against nobody else: this would fail for the first one.
    client.resource(annotated).lockResourceVersion().update();
  }

  @Test
  void a_finalizer_that_somebody_added_meanwhile_is_kept() {
    assertThat(OwnerPatches.addFinalizer(client, owner, THEIRS)).isPresent();

    var marked = OwnerPatches.addFinalizer(client, owner, OURS).orElseThrow();

    assertThat(marked.getMetadata().getFinalizers()).containsExactly(THEIRS, OURS);
  }

  @Test
  void nothing_is_written_for_what_is_there_already() {
    var marked = OwnerPatches.addFinalizer(client, owner, OURS).orElseThrow();

    assertThat(OwnerPatches.addFinalizer(client, marked, OURS)).containsSame(marked);
  }

  @Test
  void an_owner_that_is_gone_is_no_error() {
    client.resource(owner).delete();

    assertThat(OwnerPatches.annotate(client, owner, "example.com/a", "b")).isEmpty();
    assertThat(OwnerPatches.removeFinalizer(client, withFinalizer(), OURS)).isEmpty();
  }

  private ConfigMap withFinalizer() {
    return new ConfigMapBuilder(owner).editMetadata().addToFinalizers(OURS).endMetadata().build();
  }
}
