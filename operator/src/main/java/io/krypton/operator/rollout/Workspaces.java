package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.operator.release.ReleaseOwner;
import io.krypton.operator.rollout.Journal.Happening;
import io.krypton.operator.rollout.WorkspaceDecision.Adoption;
import io.krypton.operator.rollout.WorkspaceDecision.AwaitTermination;
import io.krypton.operator.rollout.WorkspaceDecision.Conflict;
import io.krypton.operator.rollout.WorkspaceDecision.Create;
import io.krypton.operator.rollout.WorkspaceDecision.NotAllowed;
import io.krypton.operator.rollout.WorkspaceDecision.TakeOver;
import io.krypton.operator.rollout.WorkspaceDecision.Use;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes sure that the namespace of a release is there and is nobody else's. */
final class Workspaces {
  private static final Logger log = LoggerFactory.getLogger(Workspaces.class);

  private final LivingOwners owners;
  private final boolean adoptAny;

  /**
   * @param adoptAny also namespaces that are not allowed
   */
  Workspaces(LivingOwners owners, boolean adoptAny) {
    this.owners = owners;
    this.adoptAny = adoptAny;
  }

  /** Whether a release may go into the namespace now. */
  sealed interface Prepared {
    /** {@code isNew}: it was made a moment ago, so nothing can be in it. */
    record Usable(boolean isNew) implements Prepared {}

    record Terminating() implements Prepared {}

    record Refused(Problem problem, String message) implements Prepared {}
  }

  /**
   * @param firstUse nothing of this owner is in the namespace yet
   */
  Prepared prepare(Intent intent, TargetCluster target, boolean firstUse, Journal journal) {
    var known = target.namespace(intent.workspace()).orElse(null);
    return act(decide(known, intent, target), intent, target, firstUse, journal);
  }

  private WorkspaceDecision decide(
      @Nullable ObjectMeta namespace, Intent intent, TargetCluster target) {
    return WorkspaceDecision.about(
        namespace,
        intent.owner(),
        (reference, uid) -> owners.lives(target.name(), reference, uid),
        new Adoption(adoptAny, () -> holdsReleaseOf(intent, target)));
  }

  private boolean holdsReleaseOf(Intent intent, TargetCluster target) {
    var ours = new ReleaseOwner(intent.owner().uid(), intent.release());
    return target
        .knownHistory(intent.workspace(), intent.release())
        .latest()
        .filter(
            latest ->
                ours.owns(
                    intent.release().value(), latest, uid -> owners.lives(target.name(), uid)))
        .isPresent();
  }

  private Prepared act(
      WorkspaceDecision decision,
      Intent intent,
      TargetCluster target,
      boolean firstUse,
      Journal journal) {
    var namespace = intent.workspace();
    return switch (decision) {
      case Create create -> create(intent, target, firstUse, journal);
      case TakeOver takeOver -> {
        mark(target, namespace, intent.owner());
        yield new Prepared.Usable(false);
      }
      case Use(var owned) -> {
        if (!owned && firstUse) {
          journal.happened(new Happening.WorkspaceReused(namespace));
        }
        yield new Prepared.Usable(false);
      }
      case AwaitTermination await -> new Prepared.Terminating();
      case Conflict(var owner) ->
          new Prepared.Refused(
              Problem.NAMESPACE_CONFLICT,
              "namespace %s on %s belongs to %s; delete that object or choose another workspace"
                  .formatted(namespace, target.name(), owner));
      case NotAllowed notAllowed ->
          new Prepared.Refused(
              Problem.NAMESPACE_CONFLICT,
              "namespace %s on %s was not made for this object; label it with %s=%s, or choose another workspace"
                  .formatted(namespace, target.name(), Labels.WORKSPACE, Labels.WORKSPACE_ALLOWED));
    };
  }

  private Prepared create(Intent intent, TargetCluster target, boolean firstUse, Journal journal) {
    var namespace = intent.workspace();
    try {
      target.client().resource(owned(namespace, intent.owner())).create();
    } catch (KubernetesClientException refused) {
      return switch (refused.getCode()) {
        case 0 -> throw refused; // Not an answer: a matter of the cluster, not of this object.
        case HttpURLConnection.HTTP_CONFLICT -> byServer(intent, target, firstUse, journal);
        default ->
            new Prepared.Refused(
                Problem.WORKSPACE_CREATE_FAILED,
                "namespace %s cannot be created on %s: %s"
                    .formatted(namespace, target.name(), ApiFailure.of(refused).message()));
      };
    }
    log.atInfo().addKeyValue("workspace", namespace).log("workspace namespace created");
    journal.happened(new Happening.WorkspaceCreated(namespace));
    return new Prepared.Usable(true);
  }

  /** The cache had not seen the namespace yet; if it is gone again, the watch tells. */
  private Prepared byServer(
      Intent intent, TargetCluster target, boolean firstUse, Journal journal) {
    var live = target.client().namespaces().withName(intent.workspace()).get();
    return live == null
        ? new Prepared.Terminating()
        : act(decide(live.getMetadata(), intent, target), intent, target, firstUse, journal);
  }

  private static void mark(TargetCluster target, String namespace, Owner owner) {
    target
        .client()
        .namespaces()
        .withName(namespace)
        .patch(PatchContext.of(PatchType.JSON_MERGE), owned(namespace, owner));
  }

  private static Namespace owned(String namespace, Owner owner) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(namespace)
        .addToLabels(Labels.OWNER_UID, owner.uid())
        .addToLabels(Labels.OWNER_KIND, owner.kind().toString())
        .addToAnnotations(Annotations.OWNER, owner.reference())
        .endMetadata()
        .build();
  }
}
