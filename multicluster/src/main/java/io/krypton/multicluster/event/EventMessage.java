// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;

/**
 * Something that happened to an object.
 *
 * @param action what was done; often the same as the reason
 */
public record EventMessage(
    ObjectReference regarding, Type type, String reason, String action, String message) {

  /** The two types that Kubernetes knows, spelled as it spells them. */
  public enum Type {
    Normal,
    Warning
  }

  private static final int MAX_MESSAGE = 1024;

  public EventMessage {
    message = shortened(message);
  }

  public static EventMessage normal(HasMetadata about, String reason, String message) {
    return new EventMessage(referenceTo(about), Type.Normal, reason, reason, message);
  }

  public static EventMessage warning(HasMetadata about, String reason, String message) {
    return new EventMessage(referenceTo(about), Type.Warning, reason, reason, message);
  }

  public static ObjectReference referenceTo(HasMetadata object) {
    return new ObjectReferenceBuilder()
        .withApiVersion(object.getApiVersion())
        .withKind(object.getKind())
        .withNamespace(object.getMetadata().getNamespace())
        .withName(object.getMetadata().getName())
        .withUid(object.getMetadata().getUid())
        .withResourceVersion(object.getMetadata().getResourceVersion())
        .build();
  }

  /** Events of cluster-scoped objects live in the namespace {@code default}. */
  String namespace() {
    var own = regarding.getNamespace();
    return own == null || own.isEmpty() ? "default" : own;
  }

  private static String shortened(String message) {
    if (message.length() <= MAX_MESSAGE) {
      return message;
    }
    var end = MAX_MESSAGE - 1;
    var whole = Character.isHighSurrogate(message.charAt(end - 1)) ? end - 1 : end;
    return message.substring(0, whole) + "…";
  }
}
