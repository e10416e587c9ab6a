package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.Turns;
import io.krypton.operator.rollout.Claims;
import java.util.HashSet;
import java.util.Optional;
import java.util.function.Function;

/** Looks at the clusters of one deployment, and sees only those that it may use. */
final class EdgeSight {
  private final Edges edges;
  private final Home home;
  private final Routing routing;
  private final Edges.Waking waking;
  private final DeploymentRecord record;
  private final Function<SecretRef, Optional<Turns.Turn>> turns;

  EdgeSight(
      Edges edges,
      Home home,
      Routing routing,
      Edges.Waking waking,
      DeploymentRecord record,
      Function<SecretRef, Optional<Turns.Turn>> turns) {
    this.turns = turns;
    this.edges = edges;
    this.home = home;
    this.routing = routing;
    this.waking = waking;
    this.record = record;
  }

  /** Keeps engaged what the deployment refers to and may use, and lets go of all else. */
  void hold() {
    var allowed = new HashSet<>(routing.all(record.deployment()));
    allowed.removeIf(target -> access(target) != Routing.Access.ALLOWED);
    edges.hold(record.holder(), allowed);
  }

  Edge look(Target target) {
    return switch (access(target)) {
      case ALLOWED -> edges.look(record.holder(), target, waking);
      case UNKNOWN -> new Edge.Opening();
      case FORBIDDEN -> new Edge.Unavailable(refusal(target));
    };
  }

  /** The right to work there; without it the deployment is woken when it is its turn. */
  Optional<Turns.Turn> turn(Target target) {
    return turns.apply(target.secret());
  }

  /** Whether what has the deployment's name there, and no living owner, may be its own. */
  boolean isFirstClaimant(Target target) {
    var claimants = home.claimants(record.workspace(), target, routing);
    return Claims.ahead(Home.ownerOf(record.deployment()), claimants, false).isEmpty();
  }

  private Routing.Access access(Target target) {
    var namespace = record.deployment().getMetadata().getNamespace();
    var needsLabel =
        Routing.isWellFormed(target.secret()) && !routing.isNear(target.secret(), namespace);
    var labelled = needsLabel ? home.labelledSecrets().carriesLabel(target.secret()) : null;
    return routing.access(target.secret(), namespace, labelled);
  }

  /** Says nothing about the Secret itself, not even whether it exists. */
  private String refusal(Target target) {
    return Routing.isWellFormed(target.secret())
        ? "Secret %s may not be used from here; use one in %s or in this namespace, or give it the discovery label"
            .formatted(target.secret(), routing.namespace())
        : "%s is no valid name of a Secret".formatted(target.secret());
  }
}
