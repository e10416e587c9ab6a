// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.event.EventRecorder;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Records events of a cluster on its kubeconfig Secret. */
final class ClusterEventRecorder implements ClusterListener {
  private final AtomicReference<@Nullable EventRecorder> recorder = new AtomicReference<>();

  /** Home is known, so events have a place to go. */
  void attach(EventRecorder home) {
    var before = recorder.getAndSet(home);
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void onEngaged(ClusterEvent.Engaged event) {
    record(
        event,
        EventReason.CLUSTER_ENGAGED,
        "engaged, Kubernetes %s".formatted(event.cluster().serverVersion()));
  }

  @Override
  public void onRecovered(ClusterEvent.Recovered event) {
    record(event, EventReason.CLUSTER_RECOVERED, "answers again");
  }

  @Override
  public void onUnreachable(ClusterEvent.Unreachable event) {
    record(event, EventReason.CLUSTER_UNREACHABLE, event.failure().message());
  }

  @Override
  public void onRejected(ClusterEvent.Rejected event) {
    record(event, EventReason.CLUSTER_REJECTED, event.reason());
  }

  @Override
  public void onDisengaged(ClusterEvent.Disengaged event) {
    if (event.why() == DisengageReason.LABEL_REMOVED) {
      record(event, EventReason.CLUSTER_DISENGAGED, event.why().explanation());
    }
  }

  @Override
  public void onDuplicate(ClusterEvent.Duplicate event) {
    record(
        event,
        EventReason.CLUSTER_DUPLICATE,
        "leads to the same API server as %s; each gets a release of its own"
            .formatted(event.other()));
  }

  @Override
  public void onStepNotice(ClusterEvent.StepNotice event) {
    record(event, EventMessage.Type.Warning, event.reason(), event.message());
  }

  @Override
  public void onCredentialsExpiring(ClusterEvent.CredentialsExpiring event) {
    record(
        event,
        EventReason.CLUSTER_CREDENTIALS_EXPIRING,
        "credentials end at %s; put a new kubeconfig into this Secret".formatted(event.expireAt()));
  }

  private void record(ClusterEvent event, EventReason reason, String message) {
    record(
        event,
        switch (reason.type()) {
          case NORMAL -> EventMessage.Type.Normal;
          case WARNING -> EventMessage.Type.Warning;
        },
        reason.value(),
        message);
  }

  private void record(ClusterEvent event, EventMessage.Type type, String reason, String message) {
    var present = recorder.get();
    if (present != null) {
      present.record(new EventMessage(reference(event.secret()), type, reason, reason, message));
    }
  }

  private static ObjectReference reference(SecretRef secret) {
    return new ObjectReferenceBuilder()
        .withApiVersion("v1")
        .withKind("Secret")
        .withNamespace(secret.namespace())
        .withName(secret.name())
        .build();
  }
}
