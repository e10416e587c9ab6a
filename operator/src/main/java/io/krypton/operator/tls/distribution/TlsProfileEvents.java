package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.krypton.api.TlsProfileNames;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.event.EventRecorder;
import java.util.HashSet;
import java.util.Set;

/** Tells transitions, each once. */
final class TlsProfileEvents {
  private final EventRecorder recorder;
  private final String namespace;
  private final Set<String> recreating = new HashSet<>();
  private String rejected = "";

  TlsProfileEvents(EventRecorder recorder, String namespace) {
    this.recorder = recorder;
    this.namespace = namespace;
  }

  void published(String hash) {
    onConfigMap(EventMessage.Type.Normal, "TLSProfilePublished", "profile " + hash);
  }

  void rejected(String why) {
    if (!why.equals(rejected)) {
      onConfigMap(
          EventMessage.Type.Warning,
          "TLSProfileRefused",
          "the profile before stays in force: " + why);
    }
    rejected = why;
  }

  void accepted() {
    rejected = "";
  }

  void rolled(ConsumerDeployment consumerDeployment, String what) {
    recorder.record(EventMessage.normal(consumerDeployment.live(), "TLSProfileRolled", what));
  }

  void recreateStrategy(ConsumerDeployment consumerDeployment) {
    if (recreating.add(consumerDeployment.live().getMetadata().getUid())) {
      recorder.record(
          EventMessage.warning(
              consumerDeployment.live(),
              "RecreateStrategy",
              "each new profile interrupts this Deployment; use RollingUpdate with"
                  + " maxUnavailable 0"));
    }
  }

  private void onConfigMap(EventMessage.Type type, String reason, String message) {
    var reference =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withNamespace(namespace)
            .withName(TlsProfileNames.CONFIG_MAP)
            .build();
    recorder.record(new EventMessage(reference, type, reason, reason, message));
  }
}
