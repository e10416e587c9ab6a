package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells listener and log about one cluster, each thing once until something else happened. */
final class Announcer {
  private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final ClusterListener listener;
  private final long startedAt = System.nanoTime();
  private Failure.@Nullable Kind toldFailure;
  private @Nullable String toldNotice;
  private ExpiryWarning toldExpiry = ExpiryWarning.NONE;
  private boolean everEngaged;

  Announcer(ClusterName name, SecretRef secret, ClusterListener listener) {
    this.name = name;
    this.secret = secret;
    this.listener = listener;
  }

  /** What a transition is worth telling; {@code cluster} is there once it was prepared. */
  void transition(ClusterState before, ClusterState after, @Nullable Cluster cluster) {
    switch (after) {
      case ClusterState.Engaged engaged when cluster != null -> {
        if (before instanceof ClusterState.Unreachable) {
          tell(new ClusterEvent.Recovered(cluster), "cluster recovered");
        } else if (before instanceof ClusterState.Connecting) {
          var took = Duration.ofNanos(System.nanoTime() - startedAt);
          tell(new ClusterEvent.Engaged(cluster, took), "cluster engaged");
        }
        if (!(before instanceof ClusterState.Engaged)) {
          everEngaged = true;
          toldFailure = null;
          toldNotice = null;
        }
      }
      case ClusterState.Unreachable unreachable -> unreachable(unreachable);
      case ClusterState.Rejected rejected -> {
        warn("cluster rejected", rejected.reason());
        hand(new ClusterEvent.Rejected(name, secret, rejected.reason()));
      }
      case ClusterState.Engaged engaged -> {}
      case ClusterState.Connecting connecting -> {}
      case ClusterState.Disengaging disengaging -> {}
    }
  }

  private void unreachable(ClusterState.Unreachable state) {
    if (state.failure().kind() == toldFailure) {
      return;
    }
    toldFailure = state.failure().kind();
    warn("cluster unreachable", state.failure().message());
    hand(new ClusterEvent.Unreachable(name, secret, state.failure(), state.wasEngaged()));
  }

  void notice(String reason, String message) {
    if (Objects.equals(toldNotice, reason + message)) {
      return;
    }
    toldNotice = reason + message;
    warn(reason, message);
    hand(new ClusterEvent.StepNotice(name, secret, reason, message));
  }

  void duplicateOf(ClusterName other) {
    warn("cluster is a duplicate", "same API server as cluster " + other);
    hand(new ClusterEvent.Duplicate(name, secret, other));
  }

  void expiry(ExpiryWarning level, Instant expireAt) {
    boolean moreUrgent = level.compareTo(toldExpiry) > 0;
    toldExpiry = level; // Less urgent than before means renewed: the next end is told again.
    if (moreUrgent) {
      warn("credentials expire", expireAt.toString());
      hand(new ClusterEvent.CredentialsExpiring(name, secret, expireAt));
    }
  }

  /** The reason is only looked up for those who knew that the cluster was there. */
  void disengaged(Supplier<DisengageReason> why) {
    if (everEngaged) {
      tell(new ClusterEvent.Disengaged(name, secret, why.get()), "cluster disengaged");
    }
  }

  private void tell(ClusterEvent event, String text) {
    LOG.atInfo().addKeyValue("cluster", name).log(text);
    hand(event);
  }

  private void warn(String text, String detail) {
    LOG.atWarn().addKeyValue("cluster", name).addKeyValue("detail", detail).log(text);
  }

  /** A listener's bug must not take the cluster's thread with it. */
  private void hand(ClusterEvent event) {
    try {
      listener.on(event);
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("cluster", name).log("a cluster listener failed");
    }
  }
}
