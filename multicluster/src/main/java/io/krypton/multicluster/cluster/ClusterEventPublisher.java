// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs and publishes the events of one cluster, each once until the state changes again. */
final class ClusterEventPublisher {
  private static final Logger log = LoggerFactory.getLogger(ClusterEventPublisher.class);

  private final ClusterName name;
  private final SecretRef secret;
  private final Consumer<ClusterEvent> listener;
  private final long startedAt = System.nanoTime();
  private ClusterFailure.@Nullable Kind reportedFailure;
  private @Nullable String reportedNotice;
  private ExpiryWarning reportedExpiry = ExpiryWarning.NONE;
  private boolean everEngaged;

  ClusterEventPublisher(ClusterName name, SecretRef secret, Consumer<ClusterEvent> listener) {
    this.name = name;
    this.secret = secret;
    this.listener = listener;
  }

  /** Publishes the event of a transition, if it has one. */
  void transition(
      ClusterState before, ClusterState after, @Nullable EngagedCluster engagedCluster) {
    switch (after) {
      case ClusterState.Engaged engaged when engagedCluster != null -> {
        if (before instanceof ClusterState.Unreachable) {
          info("cluster recovered");
          publish(new ClusterEvent.Recovered(engagedCluster));
        } else if (before instanceof ClusterState.Connecting) {
          var took = Duration.ofNanos(System.nanoTime() - startedAt);
          info("cluster engaged", "version", engagedCluster.serverVersion());
          publish(new ClusterEvent.Engaged(engagedCluster, took));
        }
        if (!(before instanceof ClusterState.Engaged)) {
          everEngaged = true;
          reportedFailure = null;
          reportedNotice = null;
        }
      }
      case ClusterState.Unreachable unreachable -> unreachable(unreachable);
      case ClusterState.Rejected rejected -> {
        warn("cluster rejected", rejected.reason());
        publish(new ClusterEvent.Rejected(name, secret, rejected.reason()));
      }
      case ClusterState.Engaged engaged -> {}
      case ClusterState.Connecting connecting -> {}
      case ClusterState.Disengaging disengaging -> {}
    }
  }

  private void unreachable(ClusterState.Unreachable state) {
    if (state.failure().kind() == reportedFailure) {
      return;
    }
    reportedFailure = state.failure().kind();
    warn("cluster unreachable", state.failure().message());
    publish(new ClusterEvent.Unreachable(name, secret, state.failure(), state.wasEngaged()));
  }

  void notice(String reason, String message) {
    if (Objects.equals(reportedNotice, reason + message)) {
      return;
    }
    reportedNotice = reason + message;
    warn("engage step notice " + reason, message);
    publish(new ClusterEvent.StepNotice(name, secret, reason, message));
  }

  void duplicateOf(ClusterName other) {
    warn("duplicate cluster", "same API server as cluster " + other);
    publish(new ClusterEvent.Duplicate(name, secret, other));
  }

  void expiry(ExpiryWarning level, Instant expireAt) {
    boolean moreUrgent = level.compareTo(reportedExpiry) > 0;
    reportedExpiry =
        level; // Less urgent than before means renewed: the next expiry is reported again.
    if (moreUrgent) {
      warn("cluster credentials expire", expireAt.toString());
      publish(new ClusterEvent.CredentialsExpiring(name, secret, expireAt));
    }
  }

  /** The reason is only evaluated if the cluster was engaged: it may take a request. */
  void disengaged(Supplier<DisengageReason> why) {
    if (everEngaged) {
      var reason = why.get();
      info("cluster disengaged", "reason", reason.explanation());
      publish(new ClusterEvent.Disengaged(name, secret, reason));
    }
  }

  private void info(String text) {
    log.atInfo().addKeyValue("cluster", name).log(text);
  }

  private void info(String text, String key, String value) {
    log.atInfo().addKeyValue("cluster", name).addKeyValue(key, value).log(text);
  }

  private void warn(String text, String detail) {
    log.atWarn().addKeyValue("cluster", name).addKeyValue("detail", detail).log(text);
  }

  /** A bug in a listener must not end the cluster's thread. */
  private void publish(ClusterEvent event) {
    try {
      listener.accept(event);
    } catch (RuntimeException e) {
      log.atError().setCause(e).addKeyValue("cluster", name).log("cluster listener failed");
    }
  }

  /** How soon credentials expire; each level is reported once. */
  enum ExpiryWarning {
    NONE,
    WITHIN_A_WEEK,
    WITHIN_A_DAY,
    EXPIRED;

    static ExpiryWarning at(Instant now, Instant expireAt) {
      var left = Duration.between(now, expireAt);
      if (left.isNegative() || left.isZero()) {
        return EXPIRED;
      }
      if (left.compareTo(Duration.ofDays(1)) <= 0) {
        return WITHIN_A_DAY;
      }
      return left.compareTo(Duration.ofDays(7)) <= 0 ? WITHIN_A_WEEK : NONE;
    }
  }
}
