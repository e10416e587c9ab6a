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
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Records the state changes of a cluster as events on its kubeconfig Secret. */
final class ClusterEventRecorder implements ClusterListener {
  private static final Logger log = LoggerFactory.getLogger(ClusterEventRecorder.class);

  private final AtomicReference<@Nullable EventRecorder> recorder = new AtomicReference<>();

  /** Home is known, so events have a place to go. */
  void attach(EventRecorder home) {
    var before = recorder.getAndSet(home);
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void on(ClusterEvent event) {
    message(event).ifPresent(message -> emit(event, message));
  }

  private void emit(ClusterEvent event, Message message) {
    log.atLevel(message.isWarning() ? Level.WARN : Level.INFO)
        .addKeyValue("cluster", event.name())
        .addKeyValue("reason", message.reason)
        .log("{}", message.message);
    var present = recorder.get();
    if (present != null) {
      present.record(
          new EventMessage(
              reference(event.secret()),
              message.type,
              message.reason,
              message.reason,
              message.message));
    }
  }

  private record Message(EventMessage.Type type, String reason, String message) {
    static Message of(EventReason reason, String message) {
      return new Message(
          switch (reason.type()) {
            case NORMAL -> EventMessage.Type.Normal;
            case WARNING -> EventMessage.Type.Warning;
          },
          reason.value(),
          message);
    }

    boolean isWarning() {
      return type == EventMessage.Type.Warning;
    }
  }

  private static Optional<Message> message(ClusterEvent event) {
    return Optional.ofNullable(
        switch (event) {
          case ClusterEvent.Engaged(var engagedCluster, var took) ->
              Message.of(
                  EventReason.CLUSTER_ENGAGED,
                  "engaged, Kubernetes %s".formatted(engagedCluster.serverVersion()));
          case ClusterEvent.Recovered recovered ->
              Message.of(EventReason.CLUSTER_RECOVERED, "reachable again");
          case ClusterEvent.Unreachable(var name, var secret, var clusterFailure, var wasEngaged) ->
              Message.of(EventReason.CLUSTER_UNREACHABLE, clusterFailure.message());
          case ClusterEvent.Rejected(var name, var secret, var reason) ->
              Message.of(EventReason.CLUSTER_REJECTED, reason);
          case ClusterEvent.Disengaged(var name, var secret, var why) ->
              why == DisengageReason.LABEL_REMOVED
                  ? Message.of(EventReason.CLUSTER_DISENGAGED, why.explanation())
                  : null;
          case ClusterEvent.Duplicate(var name, var secret, var other) ->
              Message.of(
                  EventReason.CLUSTER_DUPLICATE,
                  "leads to the same API server as %s; each gets a release of its own"
                      .formatted(other));
          case ClusterEvent.StepNotice(var name, var secret, var reason, var message) ->
              new Message(EventMessage.Type.Warning, reason, message);
          case ClusterEvent.CredentialsExpiring(var name, var secret, var expireAt) ->
              Message.of(
                  EventReason.CLUSTER_CREDENTIALS_EXPIRING,
                  "credentials end at %s; put a new kubeconfig into this Secret"
                      .formatted(expireAt));
        });
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
