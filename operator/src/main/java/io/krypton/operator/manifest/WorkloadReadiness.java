package io.krypton.operator.manifest;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.krypton.operator.manifest.Readiness.Failed;
import io.krypton.operator.manifest.Readiness.NotReady;
import io.krypton.operator.manifest.Readiness.Ready;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads readiness from the live object; kinds that run nothing are always ready. */
public final class WorkloadReadiness {
  /** The kinds that can be not ready. */
  public static final Set<String> KINDS = Set.of("Deployment", "StatefulSet", "DaemonSet", "Job");

  private WorkloadReadiness() {}

  public static Readiness of(HasMetadata live) {
    return switch (live) {
      case Deployment deployment -> deployment(deployment);
      case StatefulSet statefulSet -> statefulSet(statefulSet);
      case DaemonSet daemonSet -> daemonSet(daemonSet);
      case Job job -> job(job);
      default -> new Ready();
    };
  }

  private static Readiness deployment(Deployment it) {
    var desired = desired(it.getSpec().getReplicas());
    var status = it.getStatus();
    var available = status == null ? 0 : zero(status.getAvailableReplicas());
    var shown = "%s (%d/%d available)".formatted(name(it), available, desired);
    if (status == null || !seen(it, status.getObservedGeneration())) {
      return new NotReady(shown);
    }
    var stuck =
        status.getConditions().stream()
            .anyMatch(
                condition ->
                    condition.getType().equals("Progressing")
                        && "ProgressDeadlineExceeded".equals(condition.getReason()));
    if (stuck) {
      return new Failed(shown);
    }
    var updated = zero(status.getUpdatedReplicas());
    var ready = updated >= desired && available >= desired && zero(status.getReplicas()) <= updated;
    return ready ? new Ready() : new NotReady(shown);
  }

  private static Readiness statefulSet(StatefulSet it) {
    var desired = desired(it.getSpec().getReplicas());
    var status = it.getStatus();
    var readyReplicas = status == null ? 0 : zero(status.getReadyReplicas());
    var shown = "%s (%d/%d ready)".formatted(name(it), readyReplicas, desired);
    if (status == null || !seen(it, status.getObservedGeneration()) || readyReplicas < desired) {
      return new NotReady(shown);
    }
    var strategy = it.getSpec().getUpdateStrategy();
    if (strategy != null && "OnDelete".equals(strategy.getType())) {
      return new Ready();
    }
    var partition =
        Optional.ofNullable(strategy)
            .map(given -> given.getRollingUpdate())
            .map(rolling -> rolling.getPartition())
            .orElse(0);
    var updated =
        zero(status.getUpdatedReplicas()) >= desired - partition
            && (partition > 0
                || Objects.equals(status.getCurrentRevision(), status.getUpdateRevision()));
    return updated ? new Ready() : new NotReady(shown);
  }

  private static Readiness daemonSet(DaemonSet it) {
    var status = it.getStatus();
    var scheduled = status == null ? 0 : zero(status.getDesiredNumberScheduled());
    var available = status == null ? 0 : zero(status.getNumberAvailable());
    var shown = "%s (%d/%d available)".formatted(name(it), available, scheduled);
    if (status == null || !seen(it, status.getObservedGeneration()) || available < scheduled) {
      return new NotReady(shown);
    }
    var strategy = it.getSpec().getUpdateStrategy();
    var updated =
        (strategy != null && "OnDelete".equals(strategy.getType()))
            || zero(status.getUpdatedNumberScheduled()) >= scheduled;
    return updated ? new Ready() : new NotReady(shown);
  }

  private static Readiness job(Job it) {
    if (Boolean.TRUE.equals(it.getSpec().getSuspend()) || jobIs(it, "Complete") != null) {
      return new Ready();
    }
    var failure = jobIs(it, "Failed");
    return failure == null
        ? new NotReady(name(it) + " (not complete)")
        : new Failed("%s (failed: %s)".formatted(name(it), failure));
  }

  /** The reason of a condition that is true, or null. */
  private static @Nullable String jobIs(Job job, String condition) {
    if (job.getStatus() == null) {
      return null;
    }
    return job.getStatus().getConditions().stream()
        .filter(it -> it.getType().equals(condition) && "True".equals(it.getStatus()))
        .map(it -> Optional.ofNullable(it.getReason()).orElse("no reason given"))
        .findFirst()
        .orElse(null);
  }

  private static String name(HasMetadata it) {
    return it.getKind() + "/" + it.getMetadata().getName();
  }

  /** A status about an older spec says nothing about this one. */
  private static boolean seen(HasMetadata it, @Nullable Long observedGeneration) {
    var generation = it.getMetadata().getGeneration();
    return generation == null || (observedGeneration != null && observedGeneration >= generation);
  }

  private static int desired(@Nullable Integer replicas) {
    return replicas == null ? 1 : replicas;
  }

  private static int zero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }
}
