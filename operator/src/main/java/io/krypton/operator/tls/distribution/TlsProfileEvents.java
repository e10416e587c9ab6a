// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.krypton.api.TlsProfileNames;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.operator.observe.EventMessages;
import java.util.HashSet;
import java.util.Set;

/** Records an event for each transition, once. */
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
    recordOnConfigMap(EventReason.TLS_PROFILE_PUBLISHED, "profile " + hash);
  }

  void rejected(String why) {
    if (!why.equals(rejected)) {
      recordOnConfigMap(
          EventReason.TLS_PROFILE_REFUSED, "the profile before stays in force: " + why);
    }
    rejected = why;
  }

  void accepted() {
    rejected = "";
  }

  void rolled(ConsumerDeployment consumerDeployment, String what) {
    recorder.record(
        EventMessages.of(consumerDeployment.live(), EventReason.TLS_PROFILE_ROLLED, what));
  }

  void recreateStrategy(ConsumerDeployment consumerDeployment) {
    if (recreating.add(consumerDeployment.live().getMetadata().getUid())) {
      recorder.record(
          EventMessages.of(
              consumerDeployment.live(),
              EventReason.RECREATE_STRATEGY,
              "each new profile interrupts this Deployment; use RollingUpdate with"
                  + " maxUnavailable 0"));
    }
  }

  private void recordOnConfigMap(EventReason reason, String message) {
    var reference =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withNamespace(namespace)
            .withName(TlsProfileNames.CONFIG_MAP)
            .build();
    recorder.record(EventMessages.of(reference, reason, message));
  }
}
