// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.Failed;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.NotReady;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness.Ready;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WorkloadReadinessTest {
  private static final Readiness READY = new Ready();

  static Stream<Arguments> deployments() {
    return Stream.of(
        row(
            "no status yet",
            "Deployment",
            "spec: {}",
            "status: null",
            new NotReady("Deployment/x (0/1 available)")),
        row(
            "zero wanted",
            "Deployment",
            "spec: {replicas: 0}",
            "status: {observedGeneration: 2}",
            READY),
        row(
            "status is of an older spec",
            "Deployment",
            "spec: {replicas: 0}",
            "status: {observedGeneration: 1}",
            new NotReady("Deployment/x (0/0 available)")),
        row(
            "all available",
            "Deployment",
            "spec: {replicas: 2}",
            "status: {observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas:"
                + " 2}",
            READY),
        row(
            "some not available",
            "Deployment",
            "spec: {replicas: 2}",
            "status: {observedGeneration: 2, replicas: 2, updatedReplicas: 2, availableReplicas:"
                + " 1}",
            new NotReady("Deployment/x (1/2 available)")),
        row(
            "some not updated",
            "Deployment",
            "spec: {replicas: 2}",
            "status: {observedGeneration: 2, replicas: 2, updatedReplicas: 1, availableReplicas:"
                + " 2}",
            new NotReady("Deployment/x (2/2 available)")),
        row(
            "old pods still there",
            "Deployment",
            "spec: {replicas: 2}",
            "status: {observedGeneration: 2, replicas: 3, updatedReplicas: 2, availableReplicas:"
                + " 3}",
            new NotReady("Deployment/x (3/2 available)")),
        row(
            "deadline exceeded",
            "Deployment",
            "spec: {}",
            "status: {observedGeneration: 2, conditions: [{type: Progressing, status: 'False',"
                + " reason: ProgressDeadlineExceeded}]}",
            new Failed("Deployment/x (0/1 available)")));
  }

  static Stream<Arguments> statefulSets() {
    return Stream.of(
        row(
            "no status yet",
            "StatefulSet",
            "spec: {replicas: 3}",
            "status: null",
            new NotReady("StatefulSet/x (0/3 ready)")),
        row(
            "some ready",
            "StatefulSet",
            "spec: {replicas: 3}",
            "status: {observedGeneration: 2, readyReplicas: 1}",
            new NotReady("StatefulSet/x (1/3 ready)")),
        row(
            "ready and updated",
            "StatefulSet",
            "spec: {}",
            "status: {observedGeneration: 2, readyReplicas: 1, updatedReplicas: 1, currentRevision:"
                + " b, updateRevision: b}",
            READY),
        row(
            "ready, revision still old",
            "StatefulSet",
            "spec: {}",
            "status: {observedGeneration: 2, readyReplicas: 1, updatedReplicas: 1, currentRevision:"
                + " a, updateRevision: b}",
            new NotReady("StatefulSet/x (1/1 ready)")),
        row(
            "updated down to the partition",
            "StatefulSet",
            "spec: {replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition:"
                + " 2}}}",
            "status: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1, currentRevision:"
                + " a, updateRevision: b}",
            READY),
        row(
            "not updated down to the partition",
            "StatefulSet",
            "spec: {replicas: 3, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition:"
                + " 1}}}",
            "status: {observedGeneration: 2, readyReplicas: 3, updatedReplicas: 1, currentRevision:"
                + " a, updateRevision: b}",
            new NotReady("StatefulSet/x (3/3 ready)")),
        row(
            "updated by hand only",
            "StatefulSet",
            "spec: {updateStrategy: {type: OnDelete}}",
            "status: {observedGeneration: 2, readyReplicas: 1, currentRevision: a, updateRevision:"
                + " b}",
            READY));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        row(
            "no nodes",
            "DaemonSet",
            "spec: {}",
            "status: {observedGeneration: 2, desiredNumberScheduled: 0}",
            READY),
        row(
            "no status yet",
            "DaemonSet",
            "spec: {}",
            "status: null",
            new NotReady("DaemonSet/x (0/0 available)")),
        row(
            "some available",
            "DaemonSet",
            "spec: {}",
            "status: {observedGeneration: 2, desiredNumberScheduled: 5, numberAvailable: 2,"
                + " updatedNumberScheduled: 5}",
            new NotReady("DaemonSet/x (2/5 available)")),
        row(
            "some not updated",
            "DaemonSet",
            "spec: {}",
            "status: {observedGeneration: 2, desiredNumberScheduled: 5, numberAvailable: 5,"
                + " updatedNumberScheduled: 4}",
            new NotReady("DaemonSet/x (5/5 available)")),
        row(
            "updated by hand only",
            "DaemonSet",
            "spec: {updateStrategy: {type: OnDelete}}",
            "status: {observedGeneration: 2, desiredNumberScheduled: 5, numberAvailable: 5}",
            READY),
        row(
            "no status yet",
            "Job",
            "spec: {}",
            "status: null",
            new NotReady("Job/x (not complete)")),
        row(
            "complete",
            "Job",
            "spec: {}",
            "status: {conditions: [{type: Complete, status: 'True'}]}",
            READY),
        row(
            "not complete",
            "Job",
            "spec: {}",
            "status: {conditions: [{type: Complete, status: 'False'}]}",
            new NotReady("Job/x (not complete)")),
        row("suspended", "Job", "spec: {suspend: true}", "status: {}", READY),
        row(
            "failed",
            "Job",
            "spec: {}",
            "status: {conditions: [{type: Failed, status: 'True', reason: BackoffLimitExceeded}]}",
            new Failed("Job/x (failed: BackoffLimitExceeded)")),
        row("nothing to run", "ConfigMap", "data: {}", "immutable: false", READY));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"deployments", "statefulSets", "others"})
  void a_workload_is_ready_by_its_status(String rule, String yaml, Readiness expected) {
    HasMetadata live = new KubernetesSerialization().unmarshal(yaml);
    assertThat(WorkloadReadiness.of(live)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"deployments", "statefulSets", "others"})
  void what_is_kept_of_a_workload_says_the_same(String rule, String yaml, Readiness expected) {
    HasMetadata live = new KubernetesSerialization().unmarshal(yaml);
    if (WorkloadReadiness.KINDS.contains(live.getKind())) {
      WorkloadReadiness.strip(live);
    }
    assertThat(WorkloadReadiness.of(live)).isEqualTo(expected);
  }

  private static Arguments row(
      String rule, String kind, String spec, String status, Readiness expected) {
    var apiVersion =
        switch (kind) {
          case "Job" -> "batch/v1";
          case "ConfigMap" -> "v1";
          default -> "apps/v1";
        };
    var yaml =
        "apiVersion: %s\nkind: %s\nmetadata: {name: x, generation: 2}\n%s\n%s\n"
            .formatted(apiVersion, kind, spec, status);
    return Arguments.of(kind + ": " + rule, yaml, expected);
  }
}
