// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.fleet;

import static io.krypton.bench.soak.fleet.SoakFleet.untilAnswered;

import io.krypton.bench.soak.plan.SoakSettings;
import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import io.krypton.bench.soak.plan.TenantModel;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * People at work: each edit is tried until the API server has answered it, so that what a model
 * expects was really asked for.
 */
public final class TenantEditor {
  private static final String TENANTS = "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/tenants";
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;

  private final SoakFleet fleet;
  private final SoakSettings settings;
  private final List<String> surprises = new CopyOnWriteArrayList<>();

  public TenantEditor(SoakFleet fleet, SoakSettings settings) {
    this.fleet = fleet;
    this.settings = settings;
  }

  /** Answers that nobody should get. */
  public List<String> surprises() {
    return List.copyOf(surprises);
  }

  public void apply(TenantStep step) throws InterruptedException {
    var api = fleet.admin(settings.edgeOf(step.tenant()));
    var name = TenantModel.name(step.tenant());
    var message = TenantModel.message(step.value());
    switch (step.edit()) {
      case CREATE -> create(api, name, message);
      case DELETE -> delete(api, name);
      case RECREATE -> {
        delete(api, name);
        while (untilAnswered(() -> api.get(TENANTS + "/" + name)).status() != NOT_FOUND) {
          SoakFleet.pause();
        }
        create(api, name, message);
      }
      case VALUES -> change(api, name, "{\"spec\":{\"values\":{\"message\":\"%s\"}}}", message);
      case REQUEST ->
          change(
              api,
              name,
              "{\"metadata\":{\"annotations\":{\"mesh.openkcm.io/requestedAt\":\"%s\"}}}",
              step.value());
      case SUSPEND -> {
        change(api, name, "{\"spec\":{\"suspend\":%s}}", true);
        Thread.sleep(Duration.ofSeconds(step.value()));
        change(api, name, "{\"spec\":{\"suspend\":%s}}", false);
      }
      case CONFIG_EDITED ->
          byHand(api, core(name, "configmaps"), "{\"data\":{\"message\":\"by hand\"}}");
      case CONFIG_DELETED -> untilAnswered(() -> api.delete(core(name, "configmaps")));
      case SERVICE_DELETED -> untilAnswered(() -> api.delete(core(name, "services")));
      case PORT_EDITED ->
          byHand(api, core(name, "services"), "{\"spec\":{\"ports\":[{\"port\":8080}]}}");
      case DEPLOYMENT_SCALED ->
          byHand(
              api,
              "/apis/apps/v1/namespaces/%s/deployments/bench/scale".formatted(name),
              "{\"spec\":{\"replicas\":2}}");
      case HISTORY_DELETED ->
          untilAnswered(
              () ->
                  api.delete(
                      "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm".formatted(name)));
    }
  }

  /** One that is there already was made by a request whose answer was lost. */
  private void create(KubeApi api, String name, String message) {
    var answer =
        untilAnswered(
            () ->
                api.post(
                    TENANTS,
                    """
                    {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant",
                     "metadata":{"name":"%s"},"spec":{"values":{"message":"%s"}}}
                    """
                        .formatted(name, message)));
    if (answer.status() != CONFLICT) {
      judge("creation of " + name, answer);
    }
  }

  private void delete(KubeApi api, String name) {
    var answer = untilAnswered(() -> api.delete(TENANTS + "/" + name));
    if (answer.status() != NOT_FOUND) {
      judge("deletion of " + name, answer);
    }
  }

  private void change(KubeApi api, String name, String merge, Object value) {
    judge(
        "change of " + name,
        untilAnswered(() -> api.merge(TENANTS + "/" + name, merge.formatted(value))));
  }

  /** Whether the object is there at the moment makes no difference to what there should be. */
  private static void byHand(KubeApi api, String path, String merge) {
    untilAnswered(() -> api.merge(path + "?fieldManager=kubectl-edit", merge));
  }

  private static String core(String namespace, String resource) {
    return "/api/v1/namespaces/%s/%s/bench".formatted(namespace, resource);
  }

  private void judge(String what, ApiResponse answer) {
    if (!answer.ok()) {
      surprises.add(
          "%s was answered %d: %s"
              .formatted(what, answer.status(), answer.body().path("message").asText()));
    }
  }
}
