// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.kube.ApiResult;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * Remembers since when our condition has had its status, so that neither a refresh nor a restart
 * makes an old state look new.
 */
final class OwnConditionState {
  private final String type;
  private boolean known;
  private @Nullable String status;
  private Instant since = Instant.EPOCH;

  OwnConditionState(String type) {
    this.type = type;
  }

  boolean isKnown() {
    return known;
  }

  /**
   * Takes what the server has from an earlier process; a missing or unreadable condition, or no
   * permission to read, means a new beginning.
   *
   * @return false if the answer says nothing about the condition, and the caller should deal with
   *     it
   */
  boolean initializeFrom(ApiResult answer) {
    switch (answer) {
      case ApiResult.Done done -> readFrom(done.body());
      case ApiResult.Forbidden _ -> {}
      default -> {
        return false;
      }
    }
    known = true;
    return true;
  }

  Instant transitionTime(String newStatus, Instant now) {
    return newStatus.equals(status) ? since : now;
  }

  void update(String newStatus, Instant transition) {
    status = newStatus;
    since = transition;
    known = true;
  }

  private void readFrom(JsonNode object) {
    try {
      for (var condition : object.path("status").path("conditions")) {
        if (type.equals(condition.path("type").textValue())) {
          since = Instant.parse(condition.path("lastTransitionTime").asText());
          status = condition.path("status").textValue();
        }
      }
    } catch (DateTimeParseException e) {
      status = null; // somebody else's bytes: begin anew
    }
  }
}
