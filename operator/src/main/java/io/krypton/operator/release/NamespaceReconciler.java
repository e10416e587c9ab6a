// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.client.ApiWriter;
import io.krypton.multicluster.client.ApiWriter.PatchFormat;
import io.krypton.operator.namespace.NamespaceDecision;
import io.krypton.operator.namespace.NamespaceDecision.Adoption;
import io.krypton.operator.namespace.NamespaceDecision.AwaitTermination;
import io.krypton.operator.namespace.NamespaceDecision.Conflict;
import io.krypton.operator.namespace.NamespaceDecision.Create;
import io.krypton.operator.namespace.NamespaceDecision.NotAllowed;
import io.krypton.operator.namespace.NamespaceDecision.TakeOver;
import io.krypton.operator.namespace.NamespaceDecision.Use;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.Rollout.DesiredRelease;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import java.net.HttpURLConnection;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sure that the namespace of a release is there and is nobody else's. */
public final class NamespaceReconciler {
  private static final Logger log = LoggerFactory.getLogger(NamespaceReconciler.class);

  private final OwnerLookup owners;
  private final boolean adoptAny;

  /**
   * @param adoptAny also namespaces that are not allowed
   */
  NamespaceReconciler(OwnerLookup owners, boolean adoptAny) {
    this.owners = owners;
    this.adoptAny = adoptAny;
  }

  /** Whether a release may go into the namespace now. */
  sealed interface Prepared {
    /** {@code isNew}: it was made a moment ago, so nothing can be in it. */
    record Usable(boolean isNew) implements Prepared {}

    record Terminating() implements Prepared {}

    /** It would have been made, but nothing can go into it now. */
    record NotYet() implements Prepared {}

    record Refused(FailureReason problem, String message) implements Prepared {}
  }

  /**
   * @param firstUse nothing of this owner is in the namespace yet
   * @param mayCreate called before a namespace is made: one that stays empty would have to be
   *     searched for releases later
   */
  Prepared prepare(
      DesiredRelease desiredRelease,
      TargetCluster target,
      boolean firstUse,
      BooleanSupplier mayCreate,
      RolloutListener rolloutListener) {
    var known = target.namespace(desiredRelease.workspace()).orElse(null);
    var decision = decide(known, desiredRelease, target);
    return decision instanceof Create && !mayCreate.getAsBoolean()
        ? new Prepared.NotYet()
        : act(decision, desiredRelease, target, firstUse, rolloutListener);
  }

  private NamespaceDecision decide(
      @Nullable ObjectMeta namespace, DesiredRelease desiredRelease, TargetCluster target) {
    return NamespaceDecision.decide(
        namespace,
        desiredRelease.owner(),
        (reference, uid) -> owners.exists(target.name(), reference, uid),
        new Adoption(adoptAny, () -> holdsReleaseOf(desiredRelease, target)));
  }

  private boolean holdsReleaseOf(DesiredRelease desiredRelease, TargetCluster target) {
    var ours = new ReleaseOwner(desiredRelease.owner().uid(), desiredRelease.release());
    return target
        .cachedHistory(desiredRelease.workspace(), desiredRelease.release())
        .latest()
        .filter(
            latest ->
                ours.owns(
                    desiredRelease.release().value(),
                    latest,
                    uid -> owners.exists(target.name(), uid)))
        .isPresent();
  }

  private Prepared act(
      NamespaceDecision decision,
      DesiredRelease desiredRelease,
      TargetCluster target,
      boolean firstUse,
      RolloutListener rolloutListener) {
    var namespace = desiredRelease.workspace();
    return switch (decision) {
      case Create create -> create(desiredRelease, target, firstUse, rolloutListener);
      case TakeOver takeOver -> {
        patchOwner(target, namespace, desiredRelease.owner());
        yield new Prepared.Usable(false);
      }
      case Use(var owned) -> {
        if (!owned && firstUse) {
          rolloutListener.onEvent(new RolloutEvent.WorkspaceReused(namespace));
        }
        yield new Prepared.Usable(false);
      }
      case AwaitTermination await -> new Prepared.Terminating();
      case Conflict(var owner) ->
          new Prepared.Refused(
              FailureReason.NAMESPACE_CONFLICT,
              "namespace %s on %s belongs to %s; delete that object or choose another workspace"
                  .formatted(namespace, target.name(), owner));
      case NotAllowed notAllowed ->
          new Prepared.Refused(
              FailureReason.NAMESPACE_CONFLICT,
              "namespace %s on %s was not made for this object; label it with %s=%s, or choose another workspace"
                  .formatted(namespace, target.name(), Labels.WORKSPACE, Labels.WORKSPACE_ALLOWED));
    };
  }

  private Prepared create(
      DesiredRelease desiredRelease,
      TargetCluster target,
      boolean firstUse,
      RolloutListener rolloutListener) {
    var namespace = desiredRelease.workspace();
    try {
      new ApiWriter(target.client())
          .create("api/v1/namespaces", withOwner(namespace, desiredRelease.owner()));
    } catch (KubernetesClientException refused) {
      return switch (refused.getCode()) {
        case 0 -> throw refused; // Not an answer: a matter of the cluster, not of this object.
        case HttpURLConnection.HTTP_CONFLICT ->
            decideFromServer(desiredRelease, target, firstUse, rolloutListener);
        default ->
            new Prepared.Refused(
                FailureReason.WORKSPACE_CREATE_FAILED,
                "namespace %s cannot be created on %s: %s"
                    .formatted(namespace, target.name(), ApiFailure.of(refused).message()));
      };
    }
    log.atInfo().addKeyValue("workspace", namespace).log("workspace namespace created");
    rolloutListener.onEvent(new RolloutEvent.WorkspaceCreated(namespace));
    return new Prepared.Usable(true);
  }

  /**
   * The cache had not seen the namespace yet; if it is gone again, its watch enqueues the owner.
   */
  private Prepared decideFromServer(
      DesiredRelease desiredRelease,
      TargetCluster target,
      boolean firstUse,
      RolloutListener rolloutListener) {
    var live = target.client().namespaces().withName(desiredRelease.workspace()).get();
    return live == null
        ? new Prepared.Terminating()
        : act(
            decide(live.getMetadata(), desiredRelease, target),
            desiredRelease,
            target,
            firstUse,
            rolloutListener);
  }

  private static void patchOwner(TargetCluster target, String namespace, Owner owner) {
    var _ =
        new ApiWriter(target.client())
            .patch(
                "api/v1/namespaces/" + namespace, PatchFormat.MERGE, withOwner(namespace, owner));
  }

  private static String withOwner(String namespace, Owner owner) {
    var object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", "Namespace");
    var metadata = object.putObject("metadata").put("name", namespace);
    metadata
        .putObject("labels")
        .put(Labels.OWNER_UID, owner.uid())
        .put(Labels.OWNER_KIND, owner.kind().toString());
    metadata.putObject("annotations").put(Annotations.OWNER, owner.reference());
    return object.toString();
  }

  /** Takes our marks off a namespace that stays when its owner goes. */
  public static final class OwnerLabels {
    private static final Logger log = LoggerFactory.getLogger(OwnerLabels.class);

    private OwnerLabels() {}

    /**
     * Best effort: a namespace that keeps our labels looks owned, and is only used, never deleted.
     */
    public static void remove(Owner owner, String workspace, TargetCluster target) {
      var namespaces = target.client().namespaces();
      try {
        var namespace = namespaces.withName(workspace).get();
        var labels = namespace == null ? null : namespace.getMetadata().getLabels();
        if (labels != null && owner.uid().equals(labels.get(Labels.OWNER_UID))) {
          namespaces
              .withName(workspace)
              .patch(
                  PatchContext.of(PatchType.JSON_MERGE),
                  """
                  {"metadata":{"labels":{"%s":null,"%s":null},"annotations":{"%s":null}}}
                  """
                      .formatted(Labels.OWNER_UID, Labels.OWNER_KIND, Annotations.OWNER));
        }
      } catch (KubernetesClientException refused) {
        log.atWarn()
            .addKeyValue("workspace", workspace)
            .addKeyValue("code", refused.getCode())
            .log("labels of an orphaned namespace could not be removed");
      }
    }
  }
}
