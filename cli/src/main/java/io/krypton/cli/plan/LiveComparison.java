// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.cli.plan.Capabilities.Served;
import io.krypton.cli.plan.PlannedRelease.WantedRelease;
import io.krypton.cli.plan.ReleasePlan.ServerFinding;
import io.krypton.cli.plan.ReleasePlan.ServerFinding.Kind;
import io.krypton.operator.release.inventory.Drift;
import io.krypton.operator.release.inventory.Manifest;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server about the objects of one release: what lives differently, what it would refuse.
 */
final class LiveComparison {
  /** As Helm applies it, so that fields it no longer names go. */
  private static final String HELM = "helm";

  private static final String RELEASE_NAME = "meta.helm.sh/release-name";
  private static final String RELEASE_NAMESPACE = "meta.helm.sh/release-namespace";

  private final KubernetesClient client;
  private final Capabilities capabilities;
  private final WantedRelease release;
  private final ManifestDiff diff;
  private final List<ServerFinding> findings = new ArrayList<>();

  LiveComparison(
      KubernetesClient client,
      Capabilities capabilities,
      WantedRelease release,
      ManifestDiff diff) {
    this.client = client;
    this.capabilities = capabilities;
    this.release = release;
    this.diff = diff;
  }

  /** Either what was found, or why nobody was asked. */
  sealed interface Result {
    record Findings(List<ServerFinding> findings) implements Result {
      public Findings {
        findings = List.copyOf(findings);
      }
    }

    record NotCompared(String why) implements Result {}
  }

  /**
   * Looks at each object once, and asks for one dry run of what the release says and one of what
   * would be applied, if that differs.
   */
  Result compareAll(Manifest before, Manifest after) {
    if (capabilities.kinds().isEmpty()) {
      return new Result.NotCompared("the server does not tell its kinds at once (before 1.30)");
    }
    var old =
        before.objects().stream()
            .collect(Collectors.toMap(diff::name, object -> object, (_, last) -> last));
    try {
      before.objects().forEach(this::compare);
      for (var object : after.objects()) {
        var was = old.get(diff.name(object));
        if (was == null) {
          dryRunCreate(object);
        } else if (!was.content().equals(object.content())) {
          dryRunApply(object);
        }
      }
    } catch (KubernetesClientException notAllowed) {
      if (isMissingRight(notAllowed)) {
        return new Result.NotCompared("you may not read or dry-run all of its objects");
      }
      throw notAllowed;
    }
    return new Result.Findings(findings);
  }

  /** The live object beside what the release that is there says. */
  private void compare(ManifestObject object) {
    var resource = resource(object);
    if (resource.isEmpty()) {
      return;
    }
    var live = resource.get().get();
    if (live == null) {
      findings.add(new ServerFinding(diff.name(object), Kind.GONE, "", List.of()));
      return;
    }
    if (Drift.isIgnored(json(live))) {
      return;
    }
    try {
      var wanted = resource.get().patch(dryRun(Drift.FIELD_MANAGER), withNamespace(object));
      if (Drift.differs(json(live), json(wanted), false)) {
        var lines =
            diff.between(manifest(live), manifest(wanted)).stream()
                .flatMap(each -> each.lines().stream())
                .toList();
        findings.add(new ServerFinding(diff.name(object), Kind.DIFFERS, "", lines));
      }
    } catch (KubernetesClientException refused) {
      if (isMissingRight(refused) || !isRefusal(refused)) {
        throw refused;
      }
      findings.add(
          new ServerFinding(
              diff.name(object),
              Kind.DIFFERS,
              "and cannot be put back: " + message(refused),
              List.of()));
    }
  }

  /** An object that the release does not have yet may be somebody else's. */
  private void dryRunCreate(ManifestObject object) {
    var live = resource(object).map(Resource::get).orElse(null);
    var owner = live == null ? Optional.<String>empty() : otherOwner(live);
    if (owner.isPresent()) {
      findings.add(
          new ServerFinding(
              diff.name(object), Kind.REFUSED, "by Helm: it " + owner.get(), List.of()));
      return;
    }
    dryRunApply(object);
  }

  private Optional<String> otherOwner(GenericKubernetesResource live) {
    Map<String, String> annotations =
        live.getMetadata().getAnnotations() == null
            ? Map.of()
            : live.getMetadata().getAnnotations();
    var name = annotations.get(RELEASE_NAME);
    var namespace = annotations.get(RELEASE_NAMESPACE);
    if (name == null || namespace == null) {
      return Optional.of("is there and belongs to no release");
    }
    return name.equals(release.name().value()) && namespace.equals(release.workspace())
        ? Optional.empty()
        : Optional.of("belongs to release %s in namespace %s".formatted(name, namespace));
  }

  private void dryRunApply(ManifestObject object) {
    var resource = resource(object);
    if (resource.isEmpty()) {
      // Perhaps of a CRD of the same chart; Helm tells otherwise.
      return;
    }
    try {
      resource.get().patch(dryRun(HELM), withNamespace(object));
    } catch (KubernetesClientException refused) {
      if (isMissingRight(refused) || !isRefusal(refused)) {
        throw refused;
      }
      // A workspace that is not there yet is made before its objects.
      if (refused.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
        findings.add(
            new ServerFinding(diff.name(object), Kind.REFUSED, message(refused), List.of()));
      }
    }
  }

  private String message(KubernetesClientException refused) {
    var status = refused.getStatus();
    var text = status == null ? refused.getMessage() : status.getMessage();
    return diff.masked(String.valueOf(text).replaceAll("\\s+", " "));
  }

  private static boolean isRefusal(KubernetesClientException failed) {
    return failed.getCode() >= 400 && failed.getCode() < 500 && failed.getCode() != 429;
  }

  /** A right that is missing says nothing about the object; a policy that denies it does. */
  private static boolean isMissingRight(KubernetesClientException failed) {
    return failed.getCode() == HttpURLConnection.HTTP_FORBIDDEN
        && String.valueOf(failed.getMessage())
            .matches("(?s).* cannot (get|patch|create) resource.*");
  }

  private static PatchContext dryRun(String manager) {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(manager)
        .withForce(true)
        .withDryRun(List.of("All"))
        .build();
  }

  private Optional<Resource<GenericKubernetesResource>> resource(ManifestObject object) {
    return capabilities.served(object).map(served -> resource(object, served));
  }

  private Resource<GenericKubernetesResource> resource(ManifestObject object, Served served) {
    var version = object.apiVersion();
    var slash = version.indexOf('/');
    var all =
        client.genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup(slash < 0 ? "" : version.substring(0, slash))
                .withVersion(version.substring(slash + 1))
                .withKind(object.kind())
                .withPlural(served.plural())
                .withNamespaced(served.namespaced())
                .build());
    return served.namespaced()
        ? all.inNamespace(namespace(object)).withName(object.name())
        : all.withName(object.name());
  }

  private String namespace(ManifestObject object) {
    return object.namespace() == null ? release.workspace() : object.namespace();
  }

  private GenericKubernetesResource withNamespace(ManifestObject object) {
    var resource =
        client
            .getKubernetesSerialization()
            .convertValue(object.content(), GenericKubernetesResource.class);
    if (!capabilities.isClusterScoped(object)) {
      resource.getMetadata().setNamespace(namespace(object));
    }
    return resource;
  }

  private JsonNode json(GenericKubernetesResource resource) {
    return client.getKubernetesSerialization().convertValue(resource, JsonNode.class);
  }

  /** Without what the server writes itself. */
  private Manifest manifest(@Nullable GenericKubernetesResource resource) {
    if (resource == null || !(json(resource) instanceof ObjectNode content)) {
      return new Manifest(List.of());
    }
    content.remove("status");
    if (content.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(List.of("managedFields", "resourceVersion", "generation"));
    }
    return new Manifest(
        List.of(
            new ManifestObject(
                resource.getApiVersion(),
                resource.getKind(),
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName(),
                content)));
  }
}
