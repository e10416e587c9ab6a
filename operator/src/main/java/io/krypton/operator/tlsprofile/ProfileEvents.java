package io.krypton.operator.tlsprofile;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.krypton.api.TlsProfileNames;
import io.krypton.multicluster.event.Announcement;
import io.krypton.multicluster.event.EventRecorder;
import java.util.HashSet;
import java.util.Set;

/** Tells transitions, each once. */
final class ProfileEvents {
  private final EventRecorder recorder;
  private final String namespace;
  private final Set<String> recreating = new HashSet<>();
  private String refused = "";

  ProfileEvents(EventRecorder recorder, String namespace) {
    this.recorder = recorder;
    this.namespace = namespace;
  }

  void published(String hash) {
    onConfigMap(Announcement.Type.Normal, "TLSProfilePublished", "profile " + hash);
  }

  void refused(String why) {
    if (!why.equals(refused)) {
      onConfigMap(
          Announcement.Type.Warning,
          "TLSProfileRefused",
          "the profile before stays in force: " + why);
    }
    refused = why;
  }

  void accepted() {
    refused = "";
  }

  void rolled(Consumer consumer, String what) {
    recorder.record(Announcement.normal(consumer.live(), "TLSProfileRolled", what));
  }

  void recreates(Consumer consumer) {
    if (recreating.add(consumer.live().getMetadata().getUid())) {
      recorder.record(
          Announcement.warning(
              consumer.live(),
              "RecreateStrategy",
              "each new profile interrupts this Deployment; use RollingUpdate with"
                  + " maxUnavailable 0"));
    }
  }

  private void onConfigMap(Announcement.Type type, String reason, String message) {
    var reference =
        new ObjectReferenceBuilder()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withNamespace(namespace)
            .withName(TlsProfileNames.CONFIG_MAP)
            .build();
    recorder.record(new Announcement(reference, type, reason, reason, message));
  }
}
