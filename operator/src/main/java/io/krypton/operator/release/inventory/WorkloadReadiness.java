// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.Failed;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.NotReady;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.Ready;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads readiness from the live object; kinds that run nothing are always ready. */
public final class WorkloadReadiness {
  /** The kinds that can be not ready. */
  public static final Set<String> KINDS = Set.of("Deployment", "StatefulSet", "DaemonSet", "Job");

  private static final String COMPLETE = "Complete";
  private static final String FAILED = "Failed";
  private static final Set<String> JOB_END_CONDITIONS = Set.of(COMPLETE, FAILED);

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

  /**
   * Takes everything away from a workload that readiness does not ask for: the template of the pods
   * is most of it. A cluster may hold tens of thousands.
   */
  public static void strip(HasMetadata whole) {
    switch (whole) {
      case Deployment it -> strip(it);
      case StatefulSet it -> strip(it);
      case DaemonSet it -> strip(it);
      case Job it -> strip(it);
      default -> throw new IllegalArgumentException(whole.getKind() + " is no workload");
    }
  }

  private static void strip(Deployment it) {
    var spec = new DeploymentSpec();
    spec.setReplicas(it.getSpec().getReplicas());
    it.setSpec(spec);
    var before = it.getStatus();
    if (before != null) {
      var status = new DeploymentStatus();
      status.setObservedGeneration(before.getObservedGeneration());
      status.setReplicas(before.getReplicas());
      status.setUpdatedReplicas(before.getUpdatedReplicas());
      status.setAvailableReplicas(before.getAvailableReplicas());
      before.getConditions().stream()
          .filter(WorkloadReadiness::isDeadlineExceeded)
          .forEach(status.getConditions()::add);
      it.setStatus(status);
    }
  }

  private static void strip(StatefulSet it) {
    var spec = new StatefulSetSpec();
    spec.setReplicas(it.getSpec().getReplicas());
    spec.setUpdateStrategy(it.getSpec().getUpdateStrategy());
    it.setSpec(spec);
    var before = it.getStatus();
    if (before != null) {
      var status = new StatefulSetStatus();
      status.setObservedGeneration(before.getObservedGeneration());
      status.setReadyReplicas(before.getReadyReplicas());
      status.setUpdatedReplicas(before.getUpdatedReplicas());
      status.setCurrentRevision(before.getCurrentRevision());
      status.setUpdateRevision(before.getUpdateRevision());
      it.setStatus(status);
    }
  }

  private static void strip(DaemonSet it) {
    var spec = new DaemonSetSpec();
    spec.setUpdateStrategy(it.getSpec().getUpdateStrategy());
    it.setSpec(spec);
    var before = it.getStatus();
    if (before != null) {
      var status = new DaemonSetStatus();
      status.setObservedGeneration(before.getObservedGeneration());
      status.setDesiredNumberScheduled(before.getDesiredNumberScheduled());
      status.setNumberAvailable(before.getNumberAvailable());
      status.setUpdatedNumberScheduled(before.getUpdatedNumberScheduled());
      it.setStatus(status);
    }
  }

  private static void strip(Job it) {
    var spec = new JobSpec();
    spec.setSuspend(it.getSpec().getSuspend());
    it.setSpec(spec);
    var before = it.getStatus();
    if (before != null) {
      var status = new JobStatus();
      before.getConditions().stream()
          .filter(condition -> JOB_END_CONDITIONS.contains(condition.getType()))
          .forEach(status.getConditions()::add);
      it.setStatus(status);
    }
  }

  private static boolean isDeadlineExceeded(DeploymentCondition condition) {
    return condition.getType().equals("Progressing")
        && "ProgressDeadlineExceeded".equals(condition.getReason());
  }

  private static Readiness deployment(Deployment it) {
    var desired = desired(it.getSpec().getReplicas());
    var status = it.getStatus();
    var available = status == null ? 0 : zero(status.getAvailableReplicas());
    var shown = "%s (%d/%d available)".formatted(name(it), available, desired);
    if (status == null || !isObserved(it, status.getObservedGeneration())) {
      return new NotReady(shown);
    }
    if (status.getConditions().stream().anyMatch(WorkloadReadiness::isDeadlineExceeded)) {
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
    if (status == null
        || !isObserved(it, status.getObservedGeneration())
        || readyReplicas < desired) {
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
    if (status == null
        || !isObserved(it, status.getObservedGeneration())
        || available < scheduled) {
      return new NotReady(shown);
    }
    var strategy = it.getSpec().getUpdateStrategy();
    var updated =
        (strategy != null && "OnDelete".equals(strategy.getType()))
            || zero(status.getUpdatedNumberScheduled()) >= scheduled;
    return updated ? new Ready() : new NotReady(shown);
  }

  private static Readiness job(Job it) {
    if (Boolean.TRUE.equals(it.getSpec().getSuspend()) || jobIs(it, COMPLETE) != null) {
      return new Ready();
    }
    var failure = jobIs(it, FAILED);
    return failure == null
        ? new NotReady(name(it) + " (not complete)")
        : new Failed("%s (failed: %s)".formatted(name(it), failure));
  }

  /** Whether a Job has run to its end, good or bad. */
  public static boolean hasEnded(Job job) {
    return jobIs(job, COMPLETE) != null || jobIs(job, FAILED) != null;
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
  private static boolean isObserved(HasMetadata it, @Nullable Long observedGeneration) {
    var generation = it.getMetadata().getGeneration();
    return generation == null || (observedGeneration != null && observedGeneration >= generation);
  }

  private static int desired(@Nullable Integer replicas) {
    return replicas == null ? 1 : replicas;
  }

  private static int zero(@Nullable Integer count) {
    return count == null ? 0 : count;
  }

  /** Whether a workload has reached what its spec asks for. */
  public sealed interface Readiness {

    record Ready() implements Readiness {}

    /** {@code message}: object and progress for a message. */
    record NotReady(String message) implements Readiness {}

    /** It will not get ready by itself. */
    record Failed(String message) implements Readiness {}
  }
}
