// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.event.EventMessage;

/** Builds events by their declared reason, which also decides between Normal and Warning. */
public final class EventMessages {
  private EventMessages() {}

  public static EventMessage of(HasMetadata regarding, EventReason reason, String message) {
    return of(EventMessage.referenceTo(regarding), reason, message);
  }

  public static EventMessage of(ObjectReference regarding, EventReason reason, String message) {
    var type =
        switch (reason.type()) {
          case NORMAL -> EventMessage.Type.Normal;
          case WARNING -> EventMessage.Type.Warning;
        };
    return new EventMessage(regarding, type, reason.value(), reason.value(), message);
  }
}
