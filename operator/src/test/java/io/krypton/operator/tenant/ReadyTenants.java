// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.tenant.Tenant;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.operator.release.helm.StoringHelm;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Writes Tenants as an operator would have left them straight to the API: each a copy of one that
 * an operator has rolled out, with its namespace, its release and the object in it.
 */
final class ReadyTenants {
  /** The API server works on so many of our writes at a time. */
  private static final int WRITERS = 32;

  private final KubernetesClient client;
  private final String template;
  private final String templateUid;
  private final Tenant tenant;
  private final PatchContext byOperator = PatchContext.of(PatchType.SERVER_SIDE_APPLY);
  private final List<HasMetadata> belongings;

  /**
   * @param template a ready Tenant whose workspace has its own name
   */
  ReadyTenants(KubernetesClient client, String cluster, Tenant template) {
    this.client = client;
    this.tenant = template;
    this.template = template.getMetadata().getName();
    this.templateUid = template.getMetadata().getUid();
    byOperator.setFieldManager("krypton-" + cluster);
    byOperator.setForce(true);
    var release = ReleaseName.ofTenant(this.template, cluster);
    this.belongings =
        List.of(
            client.namespaces().withName(this.template).require(),
            client.configMaps().inNamespace(this.template).withName("web").require(),
            client
                .secrets()
                .inNamespace(this.template)
                .withName(ReleaseSecret.name(release, 1))
                .require());
  }

  /** As many copies, under the template's name and a number. */
  void write(int count) throws Exception {
    inParallel(
        IntStream.range(0, count)
            .mapToObj(number -> task(() -> write(template + "-" + number)))
            .toList());
  }

  /** Takes the finalizers off, so that nobody has to clean up after them. */
  static void release(KubernetesClient client, List<Tenant> tenants) throws Exception {
    inParallel(
        tenants.stream()
            .map(
                tenant ->
                    task(
                        () -> {
                          tenant.getMetadata().setFinalizers(List.of());
                          client.resource(tenant).update();
                        }))
            .toList());
  }

  static Callable<Void> task(Runnable action) {
    return () -> {
      action.run();
      return null;
    };
  }

  static void inParallel(List<Callable<Void>> tasks) throws Exception {
    try (var writers = Executors.newFixedThreadPool(WRITERS)) {
      for (var task : writers.invokeAll(tasks)) {
        task.get();
      }
    }
  }

  private void write(String name) {
    var created = client.resource(renamed(tenant, name, "")).create();
    var uid = created.getMetadata().getUid();
    // By the operator's own field manager, which tells what it may leave as it is.
    var status = renamed(tenant, name, uid);
    status.setSpec(null);
    status.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(created.getMetadata().getNamespace())
            .withName(name)
            .build());
    var written =
        client
            .resource(status)
            .subresource("status")
            .patch(byOperator, client.getKubernetesSerialization().asJson(status));
    assertThat(written.getStatus().phase()).isEqualTo(tenant.getStatus().phase());
    for (var object : belongings) {
      var copy = renamed(object, name, uid);
      if (object.getKind().equals("ConfigMap")) {
        client.resource(copy).fieldManager(StoringHelm.MANAGER).serverSideApply();
      } else {
        client.resource(copy).create();
      }
    }
  }

  /** The object with all names of the template and its UID replaced. */
  private <T extends HasMetadata> T renamed(T object, String name, String uid) {
    var serialization = client.getKubernetesSerialization();
    var copy = serialization.clone(object);
    copy.setMetadata(bare(object.getMetadata()));
    @SuppressWarnings("unchecked")
    var type = (Class<T>) object.getClass();
    return serialization.unmarshal(
        serialization.asJson(copy).replace(template, name).replace(templateUid, uid), type);
  }

  private static ObjectMeta bare(ObjectMeta metadata) {
    return new ObjectMetaBuilder()
        .withNamespace(metadata.getNamespace())
        .withName(metadata.getName())
        .withLabels(metadata.getLabels())
        .withAnnotations(metadata.getAnnotations())
        .withFinalizers(new ArrayList<>(metadata.getFinalizers()))
        .build();
  }
}
